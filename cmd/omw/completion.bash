
# Behind cobra's script: the command line is taken apart at blanks, so that it
# works where the package bash-completion is not installed, too.
__omw_init_completion()
{
    local line=${COMP_LINE:0:COMP_POINT}
    COMPREPLY=()
    read -ra words <<< "$line"
    if [[ $line == *[[:space:]] ]]; then
        words+=("")
    fi
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=
    if ((cword > 0)); then
        prev=${words[cword - 1]}
    fi
}

# A reference begins with @, at which bash takes a word apart: what it puts into
# the line is what stands behind.
__omw_complete()
{
    __start_omw "$@"
    local line=${COMP_LINE:0:COMP_POINT} i
    if [[ ${line##*[[:space:]]} == @* && ${COMP_WORDBREAKS-} == *@* ]]; then
        for i in "${!COMPREPLY[@]}"; do
            COMPREPLY[i]=${COMPREPLY[i]#@}
        done
    fi
}

if [[ $(type -t compopt) = "builtin" ]]; then
    complete -o default -F __omw_complete omw
else
    complete -o default -o nospace -F __omw_complete omw
fi
