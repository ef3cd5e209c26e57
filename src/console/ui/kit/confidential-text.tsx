/** Texts that were sent, shown to those who may read them. */
import { useEffect, useState } from "preact/hooks";
import type { ApiAnswer } from "../api/client.ts";
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
  /** Whether they are shown without a reason: to those whose they are, and to who sent them. */
  readonly isFree: boolean;
  /** Loads the texts; none where they were forgotten. */
  readonly load: (body: Why) => Promise<ApiAnswer<readonly TextToRead[]>>;
};

/** A sent text, shown at once or for a reason. */
export function ConfidentialText({ title, isFree, load }: HiddenTextProps) {
  const [texts, setTexts] = useState<readonly TextToRead[] | null>(null);
  const { problem, run } = useAction();
  const { texts: words } = traffic.value;
  const show = async (reason?: string): Promise<void> => {
    const loaded = await run(load(reason === undefined ? {} : { reason }));
    if (loaded) setTexts(loaded);
  };
  useEffect(() => {
    if (isFree) void show();
  }, [isFree]);
  return (
    <Section title={title}>
      <ErrorBox problem={problem} />
      {texts === null && !isFree && (
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
