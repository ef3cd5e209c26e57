import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { traffic } from "../words/traffic.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A window over the page: the keyboard stays inside, Escape closes it, the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    box.current?.showModal();
    // The focused element may be far down: the title stays in view.
    if (box.current) box.current.scrollTop = 0;
  }, []);
  return (
    <dialog ref={box} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

type ConfirmProps = {
  readonly title: string;
  /** What will happen, in numbers. */
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly verb: string;
  readonly isDestructive?: boolean;
  readonly onConfirm: () => void | Promise<void>;
  readonly onClose: () => void;
};

/** Says exactly what will happen, and asks for confirmation. */
export function Confirm({ title, children, verb, isDestructive = false, onConfirm, onClose }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="prose">{children}</div>
      <div class="actions">
        <Button onPress={onClose}>{words.value.cancel}</Button>
        <Button kind={isDestructive ? "danger" : "primary"} busy={isBusy} onPress={() => void confirm()}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}

type ReasonProps = {
  readonly title: string;
  readonly verb: string;
  readonly isDestructive?: boolean;
  /** What will happen, in numbers. */
  readonly children?: ComponentChildren;
  readonly onReason: (reason: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks for the reason of an action or view, which the audit records. */
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
          required
          maxLength={500}
          autofocus
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
