/**
 * The console as it runs in a browser.
 *
 * Begin here: it asks who is signed in, then renders either the pages for signing in or the shell with the page of the address.
 * `pages/pages.ts` lists the pages, `kit/` has their components, `words/` their texts.
 */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import "uplot/dist/uPlot.min.css";
import "./style/tokens.css";
import "./style/base.css";
import "./style/kit.css";
import "./style/send.css";
import "./style/shell.css";
import "./style/access.css";
import "./style/print.css";
import { Link } from "./pages/link.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { Shell } from "./shell/shell.tsx";
import { followLinks, HOME, path } from "./state/router.ts";
import { loadMe, me } from "./state/session.ts";

function Console() {
  useEffect(() => void loadMe(), []);
  if (path.value === `${HOME}/link`) return <Link />;
  if (me.value === undefined) return null;
  return me.value === null ? <SignIn /> : <Shell />;
}

followLinks();
const place = document.getElementById("console");
if (place) render(<Console />, place);
