/** An operator that the console has written: to change. */
import type { Answer } from "../../api/contract.ts";
import { Loaded, Page } from "../../kit/kit.ts";
import { useAnswer } from "../../state/use-request.ts";
import { configure } from "../../words/configure.ts";
import { OperatorStanding } from "../connect/new-operator.tsx";
import type { PageProps } from "../lazy-page.tsx";
import { AddRouteLink } from "./add-route-link.tsx";
import { OperatorEditor } from "./operator-editor.tsx";
import { typedOf } from "./operator-fields.ts";

type Shown = Answer<"GET /settings">["operators"][number];

export function WrittenOperator({ parts: { code = "" } }: PageProps) {
  const request = useAnswer("GET /settings");
  const { value } = request;
  const operator = value?.operators.find((one) => one.code === code && one.in === "console");
  return (
    <Page title={operator?.name ?? code}>
      <Loaded of={request}>
        {({ revision }) =>
          operator === undefined ? (
            <p>{configure.value.gone}</p>
          ) : (
            <Editor key={revision} operator={operator} reload={request.reload} />
          )
        }
      </Loaded>
    </Page>
  );
}

type EditorProps = { readonly operator: Shown; readonly reload: () => Promise<void> };

function Editor({ operator, reload }: EditorProps) {
  return (
    <>
      <p>
        <AddRouteLink code={operator.code} hasRoutes={operator.routes.length > 0} />
      </p>
      <OperatorEditor
        initial={typedOf(operator)}
        routes={operator.routes.map(({ name }) => name)}
        isNew={false}
        onDone={reload}
      />
      <OperatorStanding code={operator.code} />
    </>
  );
}
