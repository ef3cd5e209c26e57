/** Pages whose code comes when somebody goes there, so that the first page stays small. */
import { useEffect, useState } from "preact/hooks";
import { ErrorBox } from "../kit/error-box.tsx";
import { Page } from "../kit/page.tsx";
import { words } from "../words/words.ts";
import type { PagePlace } from "./page-place.ts";

type PageComponent = PagePlace["component"];

/** A page that `load` brings; where it cannot be had it says so, and is tried again with the page around it. */
export function later(load: () => Promise<PageComponent>): PageComponent {
  let known: PageComponent | null = null;
  return function Later(props) {
    const [Component, setComponent] = useState<PageComponent | null>(() => known);
    const [isLost, setLost] = useState(false);
    useEffect(() => {
      if (known) return;
      load().then(
        (loaded) => {
          known = loaded;
          setComponent(() => loaded);
        },
        () => setLost(true),
      );
    }, []);
    if (Component) return <Component {...props} />;
    if (!isLost) return null;
    const { title } = words.value.errors.UNREACHABLE;
    return (
      <Page title={title}>
        <ErrorBox
          problem={{ status: 0, code: "UNREACHABLE", detail: "" }}
          onRetry={() => location.reload()}
        />
      </Page>
    );
  };
}
