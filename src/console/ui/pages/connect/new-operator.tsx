import { Page } from "../../kit/page.tsx";
import { connect } from "../../words/connect.ts";
import { traffic } from "../../words/traffic.ts";
import { Back } from "../access/parts.tsx";
import { OperatorDraft } from "./operator-draft.tsx";

/** Connecting an operator beside those that there are: what to write into the file, checked, and what the file would change. */
export function NewOperator() {
  return (
    <Page title={connect.value.title}>
      <Back to="/operators">{traffic.value.nav.operators}</Back>
      <OperatorDraft />
    </Page>
  );
}
