/** The frame of a page: heading, sections, and what stands in them where there is nothing, or something to know. */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { words } from "../words/words.ts";
import { ToneIcon } from "./badge.tsx";

/** A page on the way to another. */
export type Crumb = { readonly to: string; readonly name: string };

/** The page of the menu that the page belongs to; null where it stands in the menu itself. */
export const MenuPage = createContext<Crumb | null>(null);

type PageProps = {
  /** The question that a list answers, or the name of the one thing that the page is about; null until the name is known. */
  readonly title: string | null;
  /** The question about that thing; the heading where there is no name. */
  readonly question?: string;
  /** The pages between the menu's and this one. */
  readonly trail?: readonly Crumb[];
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A page: its name as heading and as the window's title, below the way that leads there. */
export function Page({ title, question = "", trail = [], aside, children }: PageProps) {
  const parent = useContext(MenuPage);
  const heading = title ?? question;
  useEffect(() => {
    document.title = `${heading} · ${words.value.brand}`;
  }, [heading]);
  return (
    <>
      <Breadcrumb way={parent === null ? trail : [parent, ...trail]} />
      <div class="page-head">
        <div>
          <h1>{whole(heading)}</h1>
          {title !== null && question !== "" && <p class="question">{question}</p>}
        </div>
        {aside}
      </div>
      {children}
    </>
  );
}

function Breadcrumb({ way }: { readonly way: readonly Crumb[] }) {
  if (way.length === 0) return null;
  return (
    <nav class="trail" aria-label={words.value.trail}>
      <ol>
        {way.map(({ to, name }) => (
          <li key={to}>
            <a href={to}>{name}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

type TabsProps = { readonly label: string; readonly tabs: readonly (Crumb | false)[]; readonly here: string };

/** Pages about the same thing, beside each other; those that the reader may not open are false. */
export function Tabs({ label, tabs, here }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(
          (tab) =>
            tab && (
              <li key={tab.to}>
                <a href={tab.to} aria-current={tab.to === here ? "page" : undefined}>
                  {tab.name}
                </a>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}

/** A title, with words like `a-t-il` kept on one line. */
function whole(title: string): ComponentChildren {
  return title.split(/(\s+)/).map((part) => (/\S-\S/.test(part) ? <span class="whole">{part}</span> : part));
}

type SectionProps = {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A part of a page. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Says that nothing is wrong. */
export function AllClear({ text }: { readonly text: string }) {
  return (
    <p class="all-well">
      <ToneIcon tone="good" />
      {text}
    </p>
  );
}

type EmptyProps = {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** What stands below the explanation, such as what to do. */
  readonly below?: ComponentChildren;
};

/** Stands where nothing is yet, and explains what would be here. */
export function Empty({ title, children, below }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
      {below}
    </div>
  );
}

/** A remark about what stands beside it. */
export function Note({ children }: { readonly children: ComponentChildren }) {
  return <p class="note">{children}</p>;
}

type BoxProps = { readonly title: string; readonly children?: ComponentChildren };

/** Something that a reader should know before going on. */
export function Notice({ title, children }: BoxProps) {
  return (
    <div class="notice">
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}

/** Something that stands in the way, which is read out at once. */
export function Alert({ title, children }: BoxProps) {
  return (
    <div class="error" role="alert">
      <p class="error-title">{title}</p>
      {children}
    </div>
  );
}
