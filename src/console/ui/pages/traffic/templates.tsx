/** Console page of WhatsApp templates. */
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  type Columns,
  column,
  Empty,
  ErrorBox,
  Page,
  Section,
  TableSection,
  WithNote,
} from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { useAction, useAnswer } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";

type View = Answer<"GET /templates">;
type Template = View["templates"][number];

/** The templates that WhatsApp can send, why the rest cannot be, and when that was read. */
export function Templates() {
  const { value, problem, isLoading, reload } = useAnswer("GET /templates");
  const { problem: failed, run } = useAction();
  const words = traffic.value.templates;
  const release = async ({ name, language }: Pick<Template, "name" | "language">): Promise<void> => {
    await run(callApi("POST /templates/release", { body: { name, language } }), words.released);
    await reload();
  };
  return (
    <Page title={words.title}>
      <ErrorBox problem={failed ?? problem} onRetry={reload} />
      {value?.stopped_texts.map(({ operator, message_class, why }) => (
        <Section
          key={`${operator} ${message_class}`}
          title={words.withoutTemplate({ operator, messageClass: message_class })}
        >
          <p class="note">{why}</p>
          {may("operators.change") && (
            <Button
              label={`${words.release} ${operator} ${message_class}`}
              onPress={() => release({ name: operator, language: message_class })}
            >
              {words.release}
            </Button>
          )}
        </Section>
      ))}
      <TableSection
        title={words.all}
        columns={columns(release)}
        rows={value?.templates ?? []}
        keyOf={({ waba_id, name, language }) => `${waba_id} ${name} ${language}`}
        isLoading={isLoading}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      >
        {value?.syncs.map((sync) => (
          <p class="note" key={sync.waba_id}>
            {readWords(sync)}
          </p>
        ))}
      </TableSection>
    </Page>
  );
}

function readWords({ waba_id, synced_at, error }: View["syncs"][number]): string {
  const words = traffic.value.templates;
  const read =
    synced_at === null
      ? words.neverRead({ account: waba_id })
      : words.readAt({ account: waba_id, time: synced_at });
  return error === null ? read : `${read} ${words.readFailed({ error })}`;
}

function columns(release: (template: Template) => Promise<void>): Columns<Template> {
  const { templates: words, ...others } = traffic.value;
  return [
    column(words.template, ({ name, language, operators }) => (
      <>
        <code>{name}</code> ({language})<span class="note">{operators}</span>
      </>
    )),
    column(words.text, ({ body }) => body),
    column(words.category, ({ category, moves_to, moves_at }) => (
      <WithNote
        note={moves_to !== null && moves_at !== null && words.moves({ category: moves_to, time: moves_at })}
      >
        {category}
      </WithNote>
    )),
    column(others.status, ({ status }) => status),
    column(words.quality, ({ quality }) => quality ?? ""),
    column(words.usable, (template) => (
      <>
        {template.is_usable ? words.yes : words.no({ why: template.why_not ?? "" })}
        {template.waits_for_release && may("operators.change") && (
          <Button label={`${words.release} ${template.name}`} onPress={() => release(template)}>
            {words.release}
          </Button>
        )}
      </>
    )),
  ];
}
