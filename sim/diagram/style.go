package diagram

// style is the picture's. Its names begin with omw-, since a style element
// inside an HTML page speaks to the whole page.
const style = `
.omw-seq{--omw-paper:#fff;--omw-ink:#1d2330;--omw-soft:#5b6472;--omw-line:#c3cad5;--omw-head:#eef1f6;--omw-arrow:#33507d;
--omw-note:#fdf5d8;--omw-note-line:#d9c26a;--omw-bad:#b3152b;--omw-band:#fdecee;background:var(--omw-paper);
font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){.omw-seq{--omw-paper:#12161d;--omw-ink:#e6eaf1;--omw-soft:#9aa5b5;--omw-line:#3b4554;
--omw-head:#212936;--omw-arrow:#8fb3ea;--omw-note:#332d14;--omw-note-line:#7d6c2a;--omw-bad:#ff8896;--omw-band:#351a20}}
.omw-seq text{fill:var(--omw-ink)}
.omw-title{font-size:14px;font-weight:600}
.omw-head rect{fill:var(--omw-head);stroke:var(--omw-line)}
.omw-head text{font-weight:600}
.omw-head path{stroke:var(--omw-line);fill:none}
.omw-seq .omw-time,.omw-seq .omw-later{fill:var(--omw-soft)}
.omw-later{font-style:italic}
.omw-pause{stroke:var(--omw-paper);stroke-width:3;stroke-dasharray:3 4;fill:none}
.omw-arrow{stroke:var(--omw-arrow);stroke-width:1.5;fill:none}
.omw-tip{fill:var(--omw-arrow)}
.omw-lost,.omw-drop{stroke-dasharray:5 4}
.omw-cross{stroke:var(--omw-bad);stroke-width:2.2;fill:none}
.omw-note{fill:var(--omw-note);stroke:var(--omw-note-line)}
.omw-over{paint-order:stroke;stroke:var(--omw-paper);stroke-width:4px;stroke-linejoin:round}
.omw-band{fill:var(--omw-band)}
.omw-flag{fill:var(--omw-bad)}
.omw-marked .omw-arrow{stroke:var(--omw-bad);stroke-width:2.4}
.omw-marked .omw-tip{fill:var(--omw-bad)}
.omw-marked .omw-over{stroke:var(--omw-band)}
.omw-seq .omw-marked .omw-label{font-weight:700}
.omw-seq .omw-why{fill:var(--omw-bad)}
`
