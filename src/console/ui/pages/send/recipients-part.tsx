import { useId } from "preact/hooks";
import { Button } from "../../kit/button.tsx";
import { Section } from "../../kit/page.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import {
  bring,
  isBringing,
  look,
  MOST_FILE_BYTES,
  paste,
  problem,
  progress,
  putAside,
  readPasted,
  tooLarge,
} from "./bring.ts";
import { FileLook } from "./file-look.tsx";
import { change, form } from "./form.ts";
import { Radios } from "./radios.tsx";
import { Refusal } from "./refusal.tsx";

/** Who gets it: out of a file, or pasted. */
export function RecipientsPart() {
  const { source, file } = form.value;
  const { recipients: words } = sending.value;
  const isThere = file !== null && look.value !== null;
  // What is pasted can be gone on with; a file is taken or another.
  const isChosen = isThere && file.name !== "";
  return (
    <Section title={words.title}>
      {!isChosen && (
        <Radios
          name="source"
          legend={words.title}
          value={source}
          options={[
            { value: "file", label: words.fromFile },
            { value: "paste", label: words.fromPaste },
          ]}
          onValue={(value) => void choose(value)}
          isRow
        />
      )}
      {!isChosen && (source === "file" ? <FromFile /> : <FromPaste />)}
      <div role="status">
        <Progress />
      </div>
      <Fault />
      {isThere && look.value && (
        <>
          {isChosen && (
            <p class="brought">
              <strong>{file.name}</strong>{" "}
              <Button kind="quiet" onPress={() => void putAside()}>
                {words.another}
              </Button>
            </p>
          )}
          <FileLook look={look.value} />
        </>
      )}
    </Section>
  );
}

/** From a file, or pasted: what was pasted counts as long as that is chosen. */
async function choose(source: "file" | "paste"): Promise<void> {
  change({ source });
  if (source === "file" && form.peek().file !== null) await putAside();
  if (source === "paste") await readPasted();
}

/** A browser's own field for files takes what is dropped on it. */
function FromFile() {
  const id = useId();
  const { recipients: words } = sending.value;
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file && !isBringing.peek()) void bring(file, file.name);
  };
  return (
    <div class="field drop">
      <label for={id}>{words.drop}</label>
      <p class="hint" id={`${id}-hint`}>
        {words.fileHint}
      </p>
      <input
        id={id}
        type="file"
        name="recipients"
        accept=".csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
    </div>
  );
}

function FromPaste() {
  const id = useId();
  const { recipients: words } = sending.value;
  const { pasted } = form.value;
  return (
    <div class="field">
      <label for={id}>{words.paste}</label>
      <p class="hint" id={`${id}-hint`}>
        {words.pasteHint}
      </p>
      <textarea
        id={id}
        name="pasted"
        rows={6}
        spellcheck={false}
        value={pasted}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => paste(currentTarget.value)}
      />
      <div>
        <Button onPress={() => void readPasted()} busy={isBringing.value}>
          {words.read}
        </Button>
      </div>
    </div>
  );
}

/** How far the file is on its way. */
function Progress() {
  const { recipients: words } = sending.value;
  const at = progress.value;
  if (at === null) return null;
  if (at === "reading") return <p class="note">{words.reading}</p>;
  return (
    <p class="note">
      <progress value={at} max={1} aria-label={words.uploading({ share: "" })} />{" "}
      {words.uploading({ share: figures.share(at) })}
    </p>
  );
}

function Fault() {
  const { recipients: words } = sending.value;
  if (tooLarge.value !== null)
    return <p class="error">{words.tooLarge({ size: megabytes(tooLarge.value) })}</p>;
  return problem.value && <Refusal problem={problem.value} />;
}

function megabytes(bytes: number): string {
  const size = Math.ceil(bytes / (MOST_FILE_BYTES / 16));
  return sending.value.recipients.size({ megabytes: figures.number(size) });
}
