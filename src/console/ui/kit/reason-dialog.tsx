import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { traffic } from "../words/traffic.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

type ReasonProps = {
  readonly title: string;
  readonly verb: string;
  readonly isDestructive?: boolean;
  /** What will happen, in numbers. */
  readonly children?: ComponentChildren;
  readonly onReason: (reason: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks why, before something is done or shown that the audit keeps a reason of. */
export function ReasonDialog({
  title,
  verb,
  isDestructive = false,
  children,
  onReason,
  onClose,
}: ReasonProps) {
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || reason.trim() === "") return;
    setBusy(true);
    await onReason(reason.trim());
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <div class="prose">{children}</div>
        <Field
          label={traffic.value.reason}
          name="reason"
          value={reason}
          onValue={setReason}
          hint={traffic.value.reasonHint}
          input={{ required: true, maxLength: 500, autofocus: true, autocomplete: "off" }}
        />
        <div class="actions">
          <Button onPress={onClose}>{words.value.cancel}</Button>
          <Button kind={isDestructive ? "danger" : "primary"} submits busy={isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
