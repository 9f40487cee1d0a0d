package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// codes is the table of error codes.
func codes() string {
	var out strings.Builder
	out.WriteString("| code | status at the gate | what it means |\n|---|---|---|\n")
	for _, c := range protocol.Codes {
		status := ""
		if s := c.Status(); s != http.StatusInternalServerError || c == protocol.Internal {
			status = fmt.Sprint(s)
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", c, status, c.Meaning())
	}
	return out.String()
}
