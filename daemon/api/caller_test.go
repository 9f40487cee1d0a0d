package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestCallerThatIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		w.write(post(`{"action":"evaluate","id":"1","args":{"code":"x"}}`))
		f := chrome.Command("evaluate")
		require.NoError(t, w.Close())
		synctest.Wait()
		status := s.status()
		require.Equal(t, 1, status.Requests, "its slot is free though its command still runs")
		require.Equal(t, 1, status.Browsers["chrome"].Commands)
		chrome.Answer(f, `{"value":1}`)
	})
}

// The time that a body may take is not the time that its command may take.
func TestCommandThatRunsForLongKeepsItsSlot(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		answer := s.command(`"action":"evaluate","args":{"code":"x"},"timeout_ms":120000`)
		f := chrome.Command("evaluate")
		for range 5 {
			time.Sleep(20 * time.Second)
			chrome.Say(`{"type":"pong"}`)
		}
		require.Equal(t, 1+1, s.status().Requests)
		chrome.Answer(f, `{"value":1}`)
		require.True(t, (<-answer).OK)
	})
}

func TestSlotIsHeldToTheLastByteOfTheAnswer(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		w := s.dial()
		w.write("GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		synctest.Wait()
		require.Equal(t, 1+1, s.status().Requests)
		require.Equal(t, http.StatusOK, w.answer("GET").status)
		synctest.Wait()
		require.Equal(t, 1, s.status().Requests)
	})
}

func TestCallerThatGoesWhileItIsAnswered(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		w.write(post(`{"action":"evaluate","args":{"code":"x"}}`))
		chrome.Answer(chrome.Command("evaluate"), `{"value":"`+strings.Repeat("x", 1<<20)+`"}`)
		_, err := io.ReadFull(w.in, make([]byte, 1000))
		require.NoError(t, err)
		status := s.status()
		require.Equal(t, 1+1, status.Requests)
		require.Greater(t, status.Buffered, int64(1<<20), "held to the last byte of the answer")
		require.NoError(t, w.Close())
	})
}

func TestRequestsAtATime(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		var open []*wire
		for range s.limits.Requests {
			w := s.dial()
			w.write(strings.TrimSuffix(post("{}"), "}"))
			open = append(open, w)
		}
		synctest.Wait()
		refused := <-s.ask(http.MethodGet, "/admin/status", "")
		requireRefused(t, refused, protocol.Busy)
		require.Equal(t, "1", refused.header.Get("Retry-After"))
		open[0].write("}")
		requireRefused(t, open[0].answer("POST"), protocol.BadRequest)
		require.Equal(t, s.limits.Requests, s.status().Requests)
		for _, w := range open {
			require.NoError(t, w.Close())
		}
	})
}
