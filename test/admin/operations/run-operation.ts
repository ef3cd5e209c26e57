import type { AdminContext } from "../../../src/admin/operations/context.ts";
import type { Operation, Parameters, ValuesOf } from "../../../src/admin/operations/operation.ts";
import type { AdminOutcome } from "../../../src/admin/operations/refusal.ts";

/** Does an operation as a surface does: what is left out has its default. */
export async function run<P extends Parameters, Value>(
  operation: Operation<P, Value>,
  context: AdminContext,
  given: Partial<ValuesOf<P>>,
): Promise<AdminOutcome<Value>> {
  const defaults = Object.entries(operation.params).flatMap(([name, { otherwise }]) =>
    otherwise ? [[name, otherwise.value]] : [],
  );
  return operation.run(context, { ...Object.fromEntries(defaults), ...given });
}
