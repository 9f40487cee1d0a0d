package steps

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerFiles adds the sentences of the FILE chapter. A file is named by its
// path from a directory of the scenario's own.
//
//	a daemon whose umask is 000
//	a file at "picture.out"                      a directory, a pipe, nothing, a symbolic link to a file, …
//	"picture.out" is what it was
//	the agent sends a screenshot A to the file "picture.out"
//	the agent sends a screenshot to the path "…" as it stands, in JSON
//	the agent sends a screenshot to a file whose name has 255 bytes
//	a screenshot A to the file "picture.out" that Chrome is working on
//	Chrome answers A with a picture of 1000 bytes | a PDF of 1000 bytes[, and leaves before it was read]
//	the answer names the file "picture.out" and its size | holds the picture
//	the file "picture.out" has 1000 bytes | has the mode 0600 | holds what Chrome made
//	no file was made                             nothing else was made
//	Chrome holds no artifact any more
func registerFiles(sc sentences, s *scene) {
	f := &files{scene: s, put: map[string]state{}}
	sc.Given(`^a daemon whose umask is ([0-7]{3})$`, f.umask)
	sc.Given(`^(nothing|a file|a directory|a pipe|a symbolic link to a file|a dangling symbolic link) at "([^"]*)"$`, f.at)
	sc.Given(`^the file "([^"]*)" of ([0-9]+) bytes$`, f.fileOf)
	sc.Then(`^"([^"]*)" is what it was$`, f.isWhatItWas)
	sc.When(`^the agent sends an? (screenshot|pdf)( [A-Z])? to the file "([^"]*)"$`, f.sendTo)
	sc.When(`^the agent sends an? (screenshot|pdf)( [A-Z])? to the path (".*")$`, f.sendToPath)
	sc.When(`^the agent sends a screenshot to a file whose name has ([0-9]+) bytes$`, f.sendToName)
	sc.Given(`^a (screenshot|pdf) ([A-Z]) to the file "([^"]*)" that (Chrome|Firefox) is working on$`, f.held)
	sc.When(`^(Chrome|Firefox) answers ([A-Z]) with a (picture|PDF) of ([0-9]+) bytes(, and leaves before it was read)?$`, f.answersWithBytes)
	sc.Then(`^the answer names the file "([^"]*)" and its size$`, f.named)
	sc.Then(`^the answer holds the picture$`, f.holdsPicture)
	sc.Then(`^the file "([^"]*)" has ([0-9]+) bytes$`, f.hasBytes)
	sc.Then(`^the file "([^"]*)" has the mode ([0-7]{4})$`, f.hasMode)
	sc.Then(`^the file "([^"]*)" holds what (?:Chrome|Firefox) made$`, f.holdsWhatWasMade)
	sc.Then(`^(?:no file|nothing else) was made$`, f.nothingMade)
	sc.Then(`^(Chrome|Firefox) holds no artifact any more$`, f.noArtifact)
	registerUploads(sc, f)
	registerDisks(sc, f)
}

type files struct {
	*scene
	dir string // "" until a path is asked for
	// put is what the scenario itself has put into its directory, by name.
	put map[string]state
	// uploads are the uploads that are held.
	uploads []*command
}

// state is what stands at a path.
type state struct {
	mode    fs.FileMode
	target  string
	content []byte
}

// path returns the path of a name in the scenario's directory, uncleaned: what
// the sentence says is what the agent sends.
func (f *files) path(name string) (string, error) {
	if f.dir == "" {
		var err error
		if f.dir, err = f.w.Dir("files"); err != nil {
			return "", err
		}
	}
	return f.dir + string(filepath.Separator) + name, nil
}

func (f *files) umask(mode string) error {
	mask, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return err
	}
	return f.w.Setup(func(s *target.Setup) {
		m := int(mask)
		s.Umask = &m
	})
}

func (f *files) at(what, name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	switch what {
	case "nothing":
		return nil
	case "a file":
		err = os.WriteFile(path, []byte("what stood here before"), 0o640)
	case "a directory":
		err = os.Mkdir(path, 0o750)
	case "a pipe":
		err = syscall.Mkfifo(path, 0o640)
	case "a symbolic link to a file":
		if err = f.at("a file", "linked.out"); err == nil {
			err = os.Symlink("linked.out", path)
		}
	case "a dangling symbolic link":
		err = os.Symlink("nowhere.out", path)
	}
	if err != nil {
		return err
	}
	f.put[name], err = look(path)
	return err
}

func look(path string) (state, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return state{}, err
	}
	s := state{mode: info.Mode()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		s.target, err = os.Readlink(path)
	case info.Mode().IsRegular():
		s.content, err = os.ReadFile(path)
	}
	return s, err
}

func (f *files) isWhatItWas(name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	was := f.put[name]
	is, err := look(path)
	if err != nil || is.mode != was.mode || is.target != was.target || !bytes.Equal(is.content, was.content) {
		return f.w.Fail("replaced", "%q was %v and is %v now (%v)", name, was.mode, is.mode, err)
	}
	if name = "linked.out"; f.put[name].content != nil {
		return f.isWhatItWasAt(name)
	}
	return nil
}

func (f *files) isWhatItWasAt(name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if is, err := look(path); err != nil || !bytes.Equal(is.content, f.put[name].content) {
		return f.w.Fail("written-through-link", "the file that a link leads to has changed (%v)", err)
	}
	return nil
}

// to returns a command with a path, in a session of its own.
func (f *files) to(action, name, path string, does behaviour) *command {
	sp := spec{action: action, name: name, session: strconv.Quote("files-" + name), timeout: usualTimeout}
	c := f.newCommand(sp, does)
	c.args = `{"path":` + path + `}`
	if action == "screenshot" {
		c.args = fmt.Sprintf(`{"selector":"#%s","path":%s}`, c.mark, path)
	}
	return c
}

func (f *files) sendTo(ctx context.Context, action, name, file string) error {
	path, err := f.path(file)
	if err != nil {
		return err
	}
	return f.sendToPath(ctx, action, name, strconv.Quote(path))
}

func (f *files) sendToPath(ctx context.Context, action, name, path string) error {
	_, err := f.send(ctx, f.to(action, strings.TrimSpace(name), path, behaviour{}))
	return err
}

func (f *files) sendToName(ctx context.Context, bytes string) error {
	n, err := strconv.Atoi(bytes)
	if err != nil {
		return err
	}
	return f.sendTo(ctx, "screenshot", "", strings.Repeat("n", n))
}

func (f *files) held(ctx context.Context, action, name, file, _ string) error {
	path, err := f.path(file)
	if err != nil {
		return err
	}
	return f.hold(ctx, f.to(action, name, strconv.Quote(path), behaviour{kind: worksOn}))
}

func (f *files) hold(ctx context.Context, c *command) error {
	if _, err := f.send(ctx, c); err != nil {
		return err
	}
	if _, _, err := f.received(ctx, c); err != nil {
		return fmt.Errorf("%w; the agent was told %s", err, toldBy(c))
	}
	return nil
}

// inline is how large a result may be that travels in one message.
const inline = 3 << 20

func (f *files) answersWithBytes(ctx context.Context, name, who, what, bytesText, leaves string) error {
	n, err := strconv.Atoi(bytesText)
	if err != nil {
		return err
	}
	b, err := f.of(name)
	if err != nil {
		return err
	}
	c, err := f.command(who)
	if err != nil {
		return err
	}
	got, _, err := f.received(ctx, c)
	if err != nil {
		return err
	}
	if leaves != "" {
		b.Inject(sim.Rule{Fault: sim.NeverReply{}, On: func(st sim.Start) bool { return st.Action == "artifact_read" }})
	}
	if !f.reached(ctx, func() bool { return b.Release(got, picture(what, n)) }) {
		return fmt.Errorf("%s is not working on %s", name, c)
	}
	if leaves == "" {
		f.w.Clock.Settle()
		return nil
	}
	read := func(st sim.Start) bool { return st.Action == "artifact_read" }
	if !f.reached(ctx, func() bool {
		for _, st := range b.Received() {
			if read(st) {
				return true
			}
		}
		return false
	}) {
		return fmt.Errorf("nobody reads the artifact")
	}
	return f.leaves(ctx, name, "the end of its connection")
}

// picture returns a result of n bytes: in one message, or as an artifact.
func picture(what string, n int) sim.Reply {
	fields, head := `{"format":"png","width":1,"height":1}`, "\x89PNG"
	if what == "PDF" {
		fields, head = `{"pages":1}`, "%PDF"
	}
	content := bytes.Repeat([]byte("."), n)
	copy(content, head)
	if n > inline {
		return sim.Artifact(content, fields)
	}
	data := protocol.ReplaceArg([]byte(fields), "base64", []byte(strconv.Quote(base64Of(content))))
	return sim.Data(string(data))
}

func (f *files) named(ctx context.Context, name string) error {
	c, err := f.one(ctx)
	if err != nil {
		return err
	}
	want, err := f.path(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(want)
	if err != nil {
		return f.w.Fail("not-written", "the file is not there: %v", err)
	}
	got, _ := protocol.StringArg(c.answer.Data, "path")
	size, _ := protocol.Arg(c.answer.Data, "bytes")
	if got != want || string(size) != strconv.FormatInt(info.Size(), 10) {
		return f.w.Fail("named", "the answer is %s; want the path %q and %d bytes", c.answer.Data, want, info.Size())
	}
	return nil
}

// one returns the last command, which is answered.
func (f *files) one(ctx context.Context) (*command, error) {
	all, err := f.over(ctx, "it")
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func (f *files) holdsPicture(ctx context.Context) error {
	c, err := f.one(ctx)
	if err != nil {
		return err
	}
	if text, ok := protocol.StringArg(c.answer.Data, "base64"); !ok || text == "" {
		return f.w.Fail("no-picture", "the answer is %.200s; want a picture in base64", c.answer.Data)
	}
	return nil
}

func (f *files) hasBytes(name, count string) error {
	info, err := f.stat(name)
	if err != nil {
		return err
	}
	if got := strconv.FormatInt(info.Size(), 10); got != count {
		return f.w.Fail("size", "%q has %s bytes; want %s", name, got, count)
	}
	return nil
}

func (f *files) stat(name string) (fs.FileInfo, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, f.w.Fail("not-written", "%q is not there: %v", name, err)
	}
	return info, nil
}

func (f *files) hasMode(name, mode string) error {
	info, err := f.stat(name)
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != mode {
		return f.w.Fail("mode", "%q has the mode %s; want %s", name, got, mode)
	}
	return nil
}

func (f *files) holdsWhatWasMade(name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return f.w.Fail("not-written", "%q is not there: %v", name, err)
	}
	if !bytes.HasPrefix(content, []byte("\x89PNG")) && !bytes.HasPrefix(content, []byte("%PDF")) {
		return f.w.Fail("content", "%q begins with %.8q; want a PNG or a PDF", name, content)
	}
	return nil
}

func (f *files) nothingMade() error {
	dir, err := f.path("")
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, ours := f.put[e.Name()]; !ours {
			return f.w.Fail("left-behind", "the daemon left %q", e.Name())
		}
	}
	return nil
}

func (f *files) noArtifact(ctx context.Context, name string) error {
	b, err := f.of(name)
	if err != nil {
		return err
	}
	if !f.reached(ctx, func() bool { return b.Artifacts() == 0 }) {
		return f.w.Fail("artifact-open", "%s still holds %d artifacts", name, b.Artifacts())
	}
	return nil
}
