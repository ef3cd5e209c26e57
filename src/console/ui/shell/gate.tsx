import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { words } from "../words/words.ts";
import { Brand } from "./brand.tsx";
import { Preferences } from "./preferences.tsx";

type GateProps = { readonly title: string; readonly lead?: string; readonly children: ComponentChildren };

/** What stands around pages for those who are not signed in. */
export function SignInLayout({ title, lead, children }: GateProps) {
  useEffect(() => {
    document.title = `${title} · ${words.value.brand}`;
  }, [title]);
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
      <footer>
        <Preferences />
      </footer>
    </div>
  );
}
