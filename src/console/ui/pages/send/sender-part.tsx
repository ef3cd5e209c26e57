import { useEffect } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Section } from "../../kit/page.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { change, form } from "./form.ts";
import { Radios } from "./radios.tsx";

type Sender = Contract["GET /accounts/:account/senders"]["answer"]["senders"][number];

/** Which name phones show: those that can be used, and why others cannot. */
export function SenderPart({ account }: { readonly account: string }) {
  const { value, problem } = useAnswer(account, () =>
    ask("GET /accounts/:account/senders", { params: { account } }),
  );
  const { sender: words } = sending.value;
  const usable = value?.senders.filter(({ is_sendable }) => is_sendable) ?? [];
  const others = value?.senders.filter(({ is_sendable }) => !is_sendable) ?? [];
  const [only] = usable;
  useEffect(() => {
    if (value === null) return;
    const { sender } = form.peek();
    if (sender !== null && !usable.some((one) => one.sender === sender)) change({ sender: null });
    if (usable.length === 1 && only) change({ sender: only.sender });
  }, [value]);
  return (
    <Section title={words.title}>
      {problem && <ErrorBox problem={problem} />}
      {value && usable.length === 0 && <Empty title={words.none}>{words.noneHelp}</Empty>}
      {usable.length > 0 && (
        <Radios
          name="sender"
          legend={words.label}
          value={form.value.sender}
          options={usable.map(({ sender }) => ({ value: sender, label: sender }))}
          onValue={(sender) => change({ sender })}
          isRow
        />
      )}
      {others.length > 0 && (
        <details class="more">
          <summary>{figures.count(others.length, words.others)}</summary>
          <ul>
            {others.map((sender) => (
              <li key={sender.sender}>
                <strong>{sender.sender}</strong> <span class="note">{whyNot(sender)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function whyNot({ status, rejection_reason }: Sender): string {
  const { why, because } = sending.value.sender;
  const word = why[status] ?? status;
  return rejection_reason === null ? word : because({ why: word, reason: rejection_reason });
}
