// Signing in with a token.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Problem, server } from "../api";
import type { Session } from "../model";
import { asProblem, Failed } from "../parts";
import { T } from "../text";

export function SignIn({ theme, done }: { theme: preact.VNode; done: (session: Session) => void }) {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const field = useRef<HTMLInputElement>(null);
  const [name, why] = [useId(), useId()];
  useEffect(() => {
    document.title = T.title(T.views.signin);
    field.current?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      done(await server.signIn(token.trim()));
    } catch (error) {
      const failure = asProblem(error);
      setProblem(failure.status === 401 ? new Problem(401, T.tokenWrong) : failure);
      setBusy(false);
      field.current?.focus();
      field.current?.select();
    }
  };
  return (
    <div class="shell service">
      <header class="top">
        <span class="brand">{T.product}</span>
        <span class="who" />
        {theme}
      </header>
      <main class="alone">
        <form class="card signin" onSubmit={(event) => void submit(event)}>
          <h1>{T.signIn}</h1>
          <p class="muted" id={why}>{T.signInWhy}</p>
          <label for={name}>{T.token}</label>
          <input
            ref={field}
            id={name}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            placeholder={T.tokenForm}
            required
            value={token}
            aria-describedby={why}
            aria-invalid={problem?.status === 401}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
          {problem && <Failed problem={problem} />}
          <button class="primary" type="submit" disabled={busy}>{busy ? T.signingIn : T.signIn}</button>
        </form>
      </main>
    </div>
  );
}
