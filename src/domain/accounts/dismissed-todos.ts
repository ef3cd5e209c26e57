/** What is left to be set up and a user of the console does not want to be shown. It is shown again when it is true anew. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** What the console's first page may say is left. */
const SETUP_STEPS = ["FIRST_STEPS", "BACKUP", "ALARMS", "PUBLIC_URL"] as const;
export type Todo = (typeof SETUP_STEPS)[number];

export const isTodo = (text: string): text is Todo => SETUP_STEPS.some((step) => step === text);

/** Those that a user has dismissed. */
export function listDismissedTodos(read: Reader, userId: number): readonly Todo[] {
  const sql = "SELECT todo FROM dismissed_todos WHERE user_id = ? ORDER BY todo";
  return read.all<{ todo: string }>(sql, userId).flatMap(({ todo }) => (isTodo(todo) ? [todo] : []));
}

export function dismissTodo(tx: Tx, userId: number, todo: Todo): void {
  tx.run("INSERT OR IGNORE INTO dismissed_todos (user_id, todo) VALUES (?, ?)", userId, todo);
}

/** Forgets that a user has dismissed what was done since. */
export function forgetDismissed(tx: Tx, userId: number, todos: readonly Todo[]): void {
  const sql = "DELETE FROM dismissed_todos WHERE user_id = ? AND todo IN (SELECT value FROM json_each(?))";
  tx.run(sql, userId, JSON.stringify(todos));
}
