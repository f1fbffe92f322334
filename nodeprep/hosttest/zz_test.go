package hosttest
import ("testing";"time"; "github.com/gpuyard/gpuyard/nodeprep/facts")
func TestT(t *testing.T){ h,_:=New(t.TempDir(), Ubuntu("22.04"), H100()); for range 3 {s:=time.Now(); h.Run(t.Context(), facts.Script(facts.Query{})); t.Log(time.Since(s)); s=time.Now(); h.Run(t.Context(), "sleep 0"); t.Log(time.Since(s)); }}
