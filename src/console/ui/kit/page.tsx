/** The frame of a page: heading, sections, and what stands in them where there is nothing, or something to know. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { words } from "../words/words.ts";
import { ToneIcon } from "./badge.tsx";

type PageProps = {
  /** The question that the page answers. */
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A page: its question as heading and as the window's title. */
export function Page({ title, aside, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.value.brand}`;
  }, [title]);
  return (
    <>
      <div class="page-head">
        <h1>{whole(title)}</h1>
        {aside}
      </div>
      {children}
    </>
  );
}

/** A title, with words like `a-t-il` kept on one line. */
function whole(title: string): ComponentChildren {
  return title.split(/(\s+)/).map((part) => (/\S-\S/.test(part) ? <span class="whole">{part}</span> : part));
}

type SectionProps = {
  readonly title: string;
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

type EmptyProps = { readonly title: string; readonly children?: ComponentChildren };

/** Stands where nothing is yet, and explains what would be here. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
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
