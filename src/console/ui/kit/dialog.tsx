/** Windows over the page, and the forms in them and beside them. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/client.ts";
import { traffic } from "../words/traffic.ts";
import { words } from "../words/words.ts";
import { Button, type ButtonKind } from "./button.tsx";
import { ErrorBox } from "./error-box.tsx";
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

type DialogButtonProps = {
  readonly verb: string;
  readonly kind?: ButtonKind;
  /** The dialog, and how it is closed. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a dialog of its own. */
export function DialogButton({ verb, kind = "plain", children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        {verb}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

type FormProps = {
  /** The verb on the button. */
  readonly verb: string;
  readonly kind?: ButtonKind;
  readonly class?: string;
  /** Whether `onSubmit` finds the faults, and not the browser. */
  readonly noValidate?: boolean;
  /** Why the server refused it the last time. */
  readonly problem?: Problem | null;
  /** Checks and sends the form, which cannot be sent again meanwhile. */
  readonly onSubmit: () => unknown;
  readonly onCancel?: (() => void) | undefined;
  readonly children: ComponentChildren;
};

/** A form with what went wrong above its fields, and its buttons below them. */
export function Form({
  verb,
  kind = "primary",
  class: look = "stack",
  noValidate = false,
  problem = null,
  onSubmit,
  onCancel,
  children,
}: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    await onSubmit();
    setBusy(false);
  };
  return (
    <form
      class={look}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ErrorBox problem={problem} />
      {children}
      <div class="actions">
        {onCancel && <Button onPress={onCancel}>{words.value.cancel}</Button>}
        <Button kind={kind} submits busy={isBusy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

type FormDialogProps = Pick<FormProps, "verb" | "kind" | "problem" | "onSubmit" | "children"> & {
  readonly title: string;
  readonly onClose: () => void;
};

/** A form in a window over the page. Who opened it closes it, once it was sent. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  );
}

type ConfirmProps = {
  readonly title: string;
  /** The verb on the button. */
  readonly verb: string;
  readonly isDestructive?: boolean;
  /** What will happen, in numbers. */
  readonly children?: ComponentChildren;
  readonly onConfirm: () => unknown;
  readonly onClose: () => void;
};

/** Says exactly what will happen, asks for confirmation, and closes when it was done. */
export function Confirm({ isDestructive = false, children, onConfirm, onClose, ...dialog }: ConfirmProps) {
  const confirm = async (): Promise<void> => {
    await onConfirm();
    onClose();
  };
  return (
    <FormDialog {...dialog} kind={isDestructive ? "danger" : "primary"} onSubmit={confirm} onClose={onClose}>
      <div class="prose">{children}</div>
    </FormDialog>
  );
}

type ReasonProps = Omit<ConfirmProps, "onConfirm"> & { readonly onReason: (reason: string) => unknown };

/** The same with the reason of an action or view, which the audit records. */
export function ReasonDialog({ isDestructive = false, children, onReason, onClose, ...dialog }: ReasonProps) {
  const [reason, setReason] = useState("");
  const submit = async (): Promise<void> => {
    if (reason.trim() === "") return;
    await onReason(reason.trim());
    onClose();
  };
  return (
    <FormDialog {...dialog} kind={isDestructive ? "danger" : "primary"} onSubmit={submit} onClose={onClose}>
      {children && <div class="prose">{children}</div>}
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
    </FormDialog>
  );
}
