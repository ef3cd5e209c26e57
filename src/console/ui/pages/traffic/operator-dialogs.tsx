import { callApi, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";
import { TestDialog } from "./test-dialog.tsx";

/** What is about to be done to all operators, to one, or to one of its connections. */
export type OperatorAction =
  | { readonly kind: "everything" }
  | {
      readonly kind: "pause" | "resume" | "reconnect" | "test";
      readonly code: string;
      readonly connection: number | null;
    };

export type Done = { readonly ok: true } | { readonly ok: false; readonly problem: Problem };

type OperatorDialogsView = Contract["GET /operators"]["answer"];

type DialogProps = {
  readonly doing: OperatorAction;
  readonly view: OperatorDialogsView;
  readonly onDone: (answer: Done) => Promise<void>;
  readonly onClose: () => void;
};

/** Says exactly what will happen before it does. */
export function OperatorActionDialog({ doing, view, onDone, onClose }: DialogProps) {
  if (doing.kind === "everything") return <PauseEverything view={view} onDone={onDone} onClose={onClose} />;
  const words = traffic.value.operators;
  const { code, connection, kind } = doing;
  const name = view.operators.find((one) => one.code === code)?.name ?? code;
  const meant = connection === null ? name : words.ofConnection({ name, place: connection });
  const params = { code };
  if (kind === "test") return <TestDialog code={code} name={name} onClose={onClose} />;
  const waiting = view.queues.find(({ operator }) => operator === code)?.waiting ?? 0;
  if (kind === "resume")
    return (
      <Confirm
        title={words.resumeTitle({ name: meant })}
        verb={words.resumeVerb}
        onConfirm={async () =>
          onDone(await callApi("POST /operators/:code/resume", { params, body: { connection } }))
        }
        onClose={onClose}
      >
        <p>{figures.count(waiting, words.resumeLeaves)}</p>
      </Confirm>
    );
  return kind === "pause" ? (
    <ReasonDialog
      title={words.pauseTitle({ name: meant })}
      verb={words.pauseVerb}
      isDestructive
      onReason={async (reason) =>
        onDone(await callApi("POST /operators/:code/pause", { params, body: { connection, reason } }))
      }
      onClose={onClose}
    >
      <p>
        {connection === null
          ? words.pauseText({ waiting: figures.count(waiting, words.pauseWaits) })
          : words.pauseConnectionText({ name })}
      </p>
    </ReasonDialog>
  ) : (
    <Confirm
      title={words.reconnectTitle({ name: meant })}
      verb={words.reconnect}
      onConfirm={async () =>
        onDone(await callApi("POST /operators/:code/reconnect", { params, body: { connection } }))
      }
      onClose={onClose}
    >
      <p>{words.reconnectText}</p>
    </Confirm>
  );
}

function PauseEverything({ view, onDone, onClose }: Omit<DialogProps, "doing">) {
  const words = traffic.value.operators;
  const names = [...view.operators.map(({ name }) => name), ...view.numbers.map(({ operator }) => operator)];
  const waiting = view.queues.reduce((sum, queue) => sum + queue.waiting, 0);
  return (
    <ReasonDialog
      title={words.everythingTitle}
      verb={words.pauseEverything}
      isDestructive
      onReason={async (reason) => onDone(await callApi("POST /operators/pause", { body: { reason } }))}
      onClose={onClose}
    >
      <p>{words.everythingText({ names: names.join(", ") })}</p>
      <p>{figures.count(waiting, words.everythingWaits)}</p>
    </ReasonDialog>
  );
}
