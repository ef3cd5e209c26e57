import { useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { toPlainColumn } from "../../kit/filter-bar.tsx";
import { Empty, Page, Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { may } from "../../state/session.ts";
import { useRequest } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";

type View = Contract["GET /templates"]["answer"];
type Template = View["templates"][number];

/** The templates that WhatsApp can send, why the rest cannot be, and when that was read. */
export function Templates() {
  const { value, problem, isLoading, reload } = useRequest("templates", () => callApi("GET /templates", {}));
  const [failed, setFailed] = useState<Problem | null>(null);
  const words = traffic.value.templates;
  const release = async ({ name, language }: Pick<Template, "name" | "language">): Promise<void> => {
    const answer = await callApi("POST /templates/release", { body: { name, language } });
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) showToast(words.released);
    await reload();
  };
  const shown = failed ?? problem;
  return (
    <Page title={words.title}>
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
      {value?.stopped_texts.map(({ operator, message_class, why }) => (
        <Section
          key={`${operator} ${message_class}`}
          title={words.withoutTemplate({ operator, messageClass: message_class })}
        >
          <p class="note">{why}</p>
          {may("operators.change") && (
            <Button
              label={`${words.release} ${operator} ${message_class}`}
              onPress={() => void release({ name: operator, language: message_class })}
            >
              {words.release}
            </Button>
          )}
        </Section>
      ))}
      <Section title={words.all}>
        {value?.syncs.map((sync) => (
          <p class="note" key={sync.waba_id}>
            {readWords(sync)}
          </p>
        ))}
        <Table
          caption={words.all}
          columns={columns(release)}
          rows={value?.templates ?? []}
          keyOf={({ waba_id, name, language }) => `${waba_id} ${name} ${language}`}
          isLoading={isLoading}
          empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
    </Page>
  );
}

function readWords({ waba_id, synced_at, error }: View["syncs"][number]): string {
  const words = traffic.value.templates;
  const read =
    synced_at === null
      ? words.neverRead({ account: waba_id })
      : words.readAt({ account: waba_id, time: figures.time(synced_at) });
  return error === null ? read : `${read} ${words.readFailed({ error })}`;
}

function columns(release: (template: Template) => Promise<void>): readonly Column<Template>[] {
  const { templates: words, ...others } = traffic.value;
  return [
    {
      ...toPlainColumn("template", words.template),
      cell: ({ name, language, operators }) => (
        <>
          <code>{name}</code> ({language})<span class="note">{operators}</span>
        </>
      ),
    },
    { ...toPlainColumn("text", words.text), cell: ({ body }) => body },
    {
      ...toPlainColumn("category", words.category),
      cell: ({ category, moves_to, moves_at }) => (
        <>
          {category}
          {moves_to !== null && moves_at !== null && (
            <span class="note">{words.moves({ category: moves_to, time: figures.time(moves_at) })}</span>
          )}
        </>
      ),
    },
    { ...toPlainColumn("status", others.status), cell: ({ status }) => status },
    { ...toPlainColumn("quality", words.quality), cell: ({ quality }) => quality ?? "" },
    {
      ...toPlainColumn("usable", words.usable),
      cell: (template) => (
        <>
          {template.is_usable ? words.yes : words.no({ why: template.why_not ?? "" })}
          {template.waits_for_release && may("operators.change") && (
            <Button label={`${words.release} ${template.name}`} onPress={() => void release(template)}>
              {words.release}
            </Button>
          )}
        </>
      ),
    },
  ];
}
