/** A change of what the console writes of the configuration: looked at, put in force, undone. */
import { useEffect, useRef, useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import { Button, ErrorBox, Table } from "../../kit/kit.ts";
import { useAction } from "../../state/use-request.ts";
import { configure } from "../../words/configure.ts";
import { changeColumns, FileFaults } from "../appliance/config-changes.tsx";

export type SettingsChange = Contract["POST /settings/preview"]["body"];
type Preview = Answer<"POST /settings/preview">;

type ChangeFlow = {
  readonly problem: Problem | null;
  /** What the change that was looked at would do; null where none was, or where it was put in force. */
  readonly preview: Preview | null;
  /** Whether a change was put in force since the page was opened. */
  readonly isDone: boolean;
  /** Asks what a change would do. */
  readonly look: (change: SettingsChange) => Promise<void>;
  readonly put: () => Promise<void>;
  /** Forgets what was looked at, where it could be put in force: the form says something else now. */
  readonly drop: () => void;
  /** What is wrong with a key, or with any below it. */
  readonly faultsOf: (key: string) => readonly string[];
};

/** The way of one change. `onDone` is called once it is in force. */
export function useChange(onDone: () => unknown): ChangeFlow {
  const [looked, setLooked] = useState<{
    readonly change: SettingsChange;
    readonly preview: Preview;
  } | null>(null);
  const [isDone, setDone] = useState(false);
  const { problem, run } = useAction();
  const look = async (change: SettingsChange): Promise<void> => {
    setDone(false);
    const preview = await run(callApi("POST /settings/preview", { body: change }));
    setLooked(preview && { change, preview });
  };
  const put = async (): Promise<void> => {
    if (looked === null) return;
    const { change, preview } = looked;
    const body = { ...change, revision: preview.revision };
    if ((await run(callApi("POST /settings", { body }), configure.value.done)) === null) return;
    setLooked(null);
    setDone(true);
    await onDone();
  };
  return {
    problem,
    preview: looked?.preview ?? null,
    isDone,
    look,
    put,
    // Faults stay until the form is sent again: somebody is mending them.
    drop: () => setLooked((last) => (last && last.preview.faults.length > 0 ? last : null)),
    faultsOf: (key) => faultsAt(looked?.preview ?? null, key),
  };
}

function faultsAt(preview: Preview | null, key: string): readonly string[] {
  return (preview?.faults ?? []).flatMap((fault) =>
    fault.at_field !== null && isAt(fault.key, key) ? [fault.at_field] : [],
  );
}

function isAt(fault: string | null, key: string): boolean {
  return fault === key || (fault?.startsWith(`${key}[`) ?? false);
}

type OutcomeProps = {
  readonly flow: ChangeFlow;
  /** Keys whose faults the form shows itself. */
  readonly fields: readonly string[];
  readonly onUndone: () => unknown;
};

/** What the change would do, with the decision; what is wrong with it besides its fields; that it is in force, with the way back. */
export function ChangeOutcome({ flow, fields, onUndone }: OutcomeProps) {
  const box = useRef<HTMLDivElement>(null);
  const { problem, preview, isDone, put, drop } = flow;
  const words = configure.value;
  const others = (preview?.faults ?? []).filter(
    (fault) => fault.at_field === null || !fields.some((field) => isAt(fault.key, field)),
  );
  const isSound = preview !== null && preview.faults.length === 0;
  useEffect(() => {
    if (isSound || others.length > 0 || isDone) box.current?.focus();
  }, [preview, isDone]);
  return (
    <div class="verdict" aria-live="polite" tabIndex={-1} ref={box}>
      <ErrorBox problem={problem} />
      {others.length > 0 && <FileFaults title={words.faults} faults={others} />}
      {isSound && (
        <div class="stack">
          <p>
            <strong>{words.difference}</strong>
          </p>
          {preview.changes.length === 0 ? (
            <p class="note">{words.nothing}</p>
          ) : (
            <Table
              caption={words.difference}
              columns={changeColumns()}
              rows={preview.changes}
              keyOf={({ path, change }) => `${path} ${change}`}
            />
          )}
          <div class="tools">
            <Button kind="primary" onPress={put}>
              {words.put}
            </Button>
            <Button onPress={drop}>{words.notNow}</Button>
          </div>
        </div>
      )}
      {isDone && (
        <div class="tools">
          <p>{words.done}</p>
          <UndoButton verb={words.undoNow} onUndone={onUndone} />
        </div>
      )}
    </div>
  );
}

type UndoProps = { readonly verb: string; readonly onUndone: () => unknown };

/** Puts back what was before the last change, with one press. */
export function UndoButton({ verb, onUndone }: UndoProps) {
  const [isBusy, setBusy] = useState(false);
  const { problem, run } = useAction();
  const undo = async (): Promise<void> => {
    setBusy(true);
    const preview = await run(callApi("POST /settings/preview", { body: { undo: true } }));
    const body = preview && ({ undo: true, revision: preview.revision } as const);
    const undone = body && (await run(callApi("POST /settings", { body }), configure.value.undone));
    setBusy(false);
    if (undone !== null) await onUndone();
  };
  return (
    <>
      <Button busy={isBusy} onPress={undo}>
        {verb}
      </Button>
      <ErrorBox problem={problem} />
    </>
  );
}
