/** Texts that were sent, shown to those who may read them. */
import { useEffect, useState } from "preact/hooks";
import type { ApiAnswer } from "../api/client.ts";
import { me } from "../state/session.ts";
import { useAction } from "../state/use-request.ts";
import { traffic } from "../words/traffic.ts";
import { DialogButton, ReasonDialog } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";
import { Section } from "./page.tsx";

/** A text that was sent; `title` where it needs one. */
export type TextToRead = { readonly title?: string; readonly text: string };

/** The reason for reading it, where one is required. */
export type Why = { readonly reason?: string };

type HiddenTextProps = {
  readonly title: string;
  /** Loads the texts; none where they were forgotten. Account users need no reason. */
  readonly load: (body: Why) => Promise<ApiAnswer<readonly TextToRead[]>>;
};

/** A sent text: account users read it at once, staff give a reason. */
export function ConfidentialText({ title, load }: HiddenTextProps) {
  const [texts, setTexts] = useState<readonly TextToRead[] | null>(null);
  const { problem, run } = useAction();
  const { texts: words } = traffic.value;
  const isOwn = me.value?.account != null;
  const show = async (reason?: string): Promise<void> => {
    const loaded = await run(load(reason === undefined ? {} : { reason }));
    if (loaded) setTexts(loaded);
  };
  useEffect(() => {
    if (isOwn) void show();
  }, [isOwn]);
  return (
    <Section title={title}>
      <ErrorBox problem={problem} />
      {texts === null && !isOwn && (
        <>
          <p class="note">{words.hidden}</p>
          <DialogButton verb={words.show}>
            {(close) => <ReasonDialog title={words.show} verb={words.show} onReason={show} onClose={close} />}
          </DialogButton>
        </>
      )}
      {texts?.length === 0 && <p class="note">{words.gone}</p>}
      {texts?.map(({ title: of, text }) => (
        <figure key={text} class="shown-text">
          {of !== undefined && <figcaption>{of}</figcaption>}
          <blockquote class="prose">{text}</blockquote>
        </figure>
      ))}
    </Section>
  );
}
