/** A text beside the columns of the file that is brought, as the server reads the two together. */
import { compileTemplate, matchTagsToColumns, type Template } from "../../../../text/template.ts";
import { look } from "./bring.ts";

/** The names that the columns of the file fill in; none while there is no file. */
export function columnTags(): readonly string[] {
  return (look.value?.tags ?? []).filter((tag) => tag !== null);
}

export function compileForColumns(text: string): Template {
  const columns = columnTags();
  return compileTemplate(matchTagsToColumns(text, columns), columns);
}
