package chrome_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

const colours = `<title>Colours</title><style>body{margin:0;background:#0000ff}div{height:3000px}p{position:absolute;margin:0;left:20px;top:30px;width:100px;height:50px;background:#ff0000}</style><div></div><p></p>`

func decode(t *testing.T, text []byte) (image.Image, string) {
	t.Helper()
	m, format, err := image.Decode(bytes.NewReader(text))
	require.NoError(t, err)
	return m, format
}

// like requires a colour but for what JPEG makes of it.
func like(t *testing.T, want color.RGBA, got color.Color) {
	t.Helper()
	r, g, b, _ := got.RGBA()
	for i, pair := range [][2]int{{int(want.R), int(r >> 8)}, {int(want.G), int(g >> 8)}, {int(want.B), int(b >> 8)}} {
		require.InDelta(t, pair[0], pair[1], 12, "channel %d of %v", i, got)
	}
}

// A tab that was never shown has its picture taken, again and again.
func takesPictures(t *testing.T, r *rig) {
	s := r.session(t, "shots")
	s.open(serve(t, html(colours)))
	s.neverShown()
	red, blue := color.RGBA{R: 255}, color.RGBA{B: 255}

	for range 5 {
		got, err := s.Screenshot(s.ctx(), client.ScreenshotArgs{})
		require.NoError(t, err)
		text, err := base64.StdEncoding.DecodeString(got.Base64)
		require.NoError(t, err)
		m, format := decode(t, text)
		require.Equal(t, "png", format)
		require.EqualValues(t, m.Bounds().Dx(), got.Width)
		require.EqualValues(t, m.Bounds().Dy(), got.Height)
		like(t, red, m.At(70, 55))
		like(t, blue, m.At(400, 300))
	}

	path := filepath.Join(t.TempDir(), "page.jpg")
	got, err := s.Screenshot(s.ctx(), client.ScreenshotArgs{Path: path, Format: client.ScreenshotFormatJPEG, Quality: new(int64(80)), FullPage: true})
	require.NoError(t, err)
	require.EqualValues(t, 3000, got.Height)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	m, format := decode(t, text)
	require.Equal(t, "jpeg", format)
	require.Equal(t, 3000, m.Bounds().Dy())
	like(t, blue, m.At(400, 2900))

	part, err := s.Screenshot(s.ctx(), client.ScreenshotArgs{Selector: "p"})
	require.NoError(t, err)
	require.EqualValues(t, [2]int64{100, 50}, [2]int64{part.Width, part.Height})
	text, err = base64.StdEncoding.DecodeString(part.Base64)
	require.NoError(t, err)
	m, _ = decode(t, text)
	like(t, red, m.At(1, 1))
	like(t, red, m.At(98, 48))
}
