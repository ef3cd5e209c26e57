/** Pages whose code is loaded when they are opened, so that the first page stays small. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CommonWords } from "../../../i18n/words.gen.d.ts";
import type { Permission } from "../../server/sign-in-contract.ts";
import { ErrorBox, Page } from "../kit/kit.ts";
import { words } from "../words/words.ts";

type PageComponent = ComponentType<PageProps>;

/** A page out of the code that `load` brings; on failure it says so, and can be retried with the page around it. */
export function lazyPage<Module>(
  load: () => Promise<Module>,
  pageIn: (module: Module) => PageComponent,
): PageComponent {
  return lazyComponent(
    async () => pageIn(await load()),
    (problem) => <Page title={words.value.errors.UNREACHABLE.title}>{problem}</Page>,
  );
}

/** The same for a part of a page; `around` wraps the message that it could not be loaded. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  around: (problem: ComponentChildren) => ComponentChildren = (problem) => problem,
): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | null>(() => known);
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
    const problem = { status: 0, code: "UNREACHABLE", detail: "" };
    return <>{around(<ErrorBox problem={problem} onRetry={() => location.reload()} />)}</>;
  };
}

/** What a page gets: the parts of its address that its path names. */
export type PageProps = { readonly parts: Readonly<Record<string, string>> };

/** A part of the navigation: the start and the reader's own page stand apart, without a heading. */
export type NavigationGroup = keyof CommonWords["navigation"] | "home" | "you";

/** Where a page is, who sees it and what it is called. */
export type PageEntry = {
  /** As in `/console/batches/:batch`; its parts are the component's `parts`. */
  readonly path: string;
  readonly component: PageComponent;
  /** The operation of the table of roles that it needs; null: everybody who is signed in. */
  readonly capability: Permission | null;
  /** The page of the navigation that it belongs to, which is marked there; null where it has an entry of its own. */
  readonly under: (() => string) | null;
  /** Where the navigation has it; null where only other pages lead to it. */
  readonly entry: {
    readonly group: NavigationGroup;
    readonly name: (words: CommonWords) => string;
    /** The letter after `g`. */
    readonly letter: string;
  } | null;
};
