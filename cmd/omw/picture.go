package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

func screenshotVerb() *verb {
	name := &freeName{stem: "shot"}
	inline := false
	return &verb{
		name: "screenshot", action: "screenshot", short: "Take a picture of the tab",
		long: `PATH is taken from the present directory, and nothing is ever overwritten. Without one it is the
first of shot-1.png, shot-2.png and so on that is free; - writes the picture to standard output. The name's
end decides the format where --format does not.`,
		examples: []string{"screenshot", "screenshot cart.png --full-page", "screenshot cart.jpg --quality 70", "screenshot - > cart.png"},
		words: []word{{name: "PATH", fills: []string{"path"}, optional: true, take: func(r *request, text string) error {
			if inline = text == "-"; inline {
				return nil
			}
			return r.set("path", text)
		}}},
		letters: map[string]string{"full_page": "f"},
		end: func(_ *program, r *request) error {
			if !r.has("format") && isJPEG(r.text("path")) {
				if err := r.set("format", "jpeg"); err != nil {
					return err
				}
			}
			if inline || r.has("path") {
				return nil
			}
			name.end = ".png"
			if r.text("format") == "jpeg" {
				name.end = ".jpg"
			}
			return name.choose(r)
		},
		again: name.again,
		show: func(p *program, _ *request, data []byte) (bool, error) {
			if !inline || p.json {
				return false, nil
			}
			return true, writePicture(p, data)
		},
	}
}

func isJPEG(path string) bool {
	end := strings.ToLower(filepath.Ext(path))
	return end == ".jpg" || end == ".jpeg"
}

// writePicture writes the bytes of a picture. What is to be told beside goes to
// standard error.
func writePicture(p *program, data []byte) error {
	var d client.ScreenshotData
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	picture, err := base64.StdEncoding.DecodeString(d.Base64)
	if err != nil {
		return fmt.Errorf("read the picture: %w", err)
	}
	if _, err := p.out.Write(picture); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	_, _ = fmt.Fprint(p.err, clean(dialogText(d.Dialog, p.asked.again())))
	return nil
}

func pdfVerb() *verb {
	name := &freeName{stem: "page", end: ".pdf"}
	return &verb{
		name: "pdf", aliases: []string{"save_as_pdf"}, action: "pdf", short: "Print the page as a PDF file",
		long: `PATH is taken from the present directory, and nothing is ever overwritten. Without one it is the
first of page-1.pdf, page-2.pdf and so on that is free.`,
		examples: []string{"pdf", "pdf invoice.pdf --landscape --pages 1-2"},
		words:    []word{maybe(one("PATH", "path"))},
		end: func(_ *program, r *request) error {
			if r.has("path") {
				return nil
			}
			return name.choose(r)
		},
		again: name.again,
	}
}

// freeName is a file's name with a number, the first that is free.
type freeName struct {
	stem, end string
	n, tries  int
}

// maxTries is how many names that were free a moment ago other processes may take.
const maxTries = 20

// choose gives the request the next name that is free.
func (f *freeName) choose(r *request) error {
	for f.n++; ; f.n++ {
		path := fmt.Sprintf("%s-%d%s", f.stem, f.n, f.end)
		_, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.drop("path")
			return r.set("path", path)
		case err != nil:
			return err
		}
	}
}

// again chooses another name after somebody took this one. The daemon never
// writes over a file, so that nothing is lost.
func (f *freeName) again(r *request) (bool, error) {
	if f.tries++; f.n == 0 || f.tries > maxTries {
		return false, nil
	}
	return true, f.choose(r)
}
