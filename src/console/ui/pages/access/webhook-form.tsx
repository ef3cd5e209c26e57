import { useState } from "preact/hooks";
import type { Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Field } from "../../kit/field.tsx";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";
import { CheckboxGroup, Failed } from "./parts.tsx";

type EventType = NonNullable<Contract["POST /accounts/:account/webhooks"]["body"]["events"]>[number];

/** What an endpoint may be told of, and what it is unless somebody chooses. */
const EVENTS: Readonly<Record<EventType, boolean>> = {
  MESSAGE_TERMINAL: true,
  BATCH_SETTLED: true,
  BATCH_REJECTED: false,
  BATCH_FAILED: false,
  BATCH_ACCEPTED: false,
  BATCH_CANCELLED: false,
  WALLET_LOW: false,
};
const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
const DEFAULT_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type]);

type Wanted = { url: string; description: string; events: EventType[] };

type FormProps = {
  readonly title: string;
  readonly verb: string;
  readonly note?: string;
  readonly before?: Readonly<Wanted>;
  /** What went wrong; null: it is done. */
  readonly onSave: (wanted: Wanted) => Promise<Problem | null>;
  readonly onClose: () => void;
};

/** Where an endpoint is, what it is for and what it is told of. */
export function EndpointForm({ title, verb, note, before, onSave, onClose }: FormProps) {
  const [url, setUrl] = useState(before?.url ?? "");
  const [description, setDescription] = useState(before?.description ?? "");
  const [events, setEvents] = useState<readonly EventType[]>(before?.events ?? DEFAULT_EVENTS);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = access.value.webhooks;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || events.length === 0) return;
    setBusy(true);
    const failed = await onSave({ url, description, events: [...events] });
    setBusy(false);
    setProblem(failed);
    if (failed === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {note && <p>{note}</p>}
        <Failed problem={problem} />
        <Field
          label={words.url}
          name="url"
          value={url}
          onValue={setUrl}
          hint={words.urlHint}
          input={{ type: "url", required: true, maxLength: 2048, autofocus: true, autocomplete: "off" }}
        />
        <Field
          label={words.description}
          name="description"
          value={description}
          onValue={setDescription}
          hint={words.descriptionHint}
          input={{ maxLength: 255, autocomplete: "off" }}
        />
        <CheckboxGroup
          label={words.events}
          options={EVENT_TYPES.map((value) => ({ value, label: words.eventWords[value] ?? value }))}
          chosen={events}
          onChosen={setEvents}
          fault={events.length === 0 ? words.noEvent : null}
        />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
