//go:build !linux

package steps

import "errors"

func mountDisk(string, string, bool) (func() error, error) {
	return nil, errors.ErrUnsupported
}
