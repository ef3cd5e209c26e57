import { batchCancel } from "../../operations/batch-cancel.ts";
import { batchList, batchShow } from "../../operations/batches.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { ACCOUNT, type AdminCommand, needed, optional, type Positional } from "../command.ts";
import { BATCH_FILE_COMMANDS } from "./batch-file.ts";
import { MODE_FLAG, readMode } from "./mode.ts";

const BATCH: Positional = { name: "BATCH" };
const USUAL_BATCHES = "100";

export const BATCH_COMMANDS: readonly AdminCommand[] = [
  ...BATCH_FILE_COMMANDS,
  {
    name: "batch list",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [
      { name: "before", value: BATCH.name },
      { name: "limit", value: "N", told: { usual: USUAL_BATCHES } },
      MODE_FLAG,
    ],
    table: {
      rows: "batches",
      columns: [
        ...["batch_id", "status", "message_class", "sender", "accepted", "rejected"],
        ...["reserved_amount", "charged_amount", "released_amount", "created_at"],
      ],
    },
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL_BATCHES);
      if (!limit.ok) return limit;
      const mode = readMode(args);
      if (!mode.ok) return mode;
      return batchList(
        context,
        needed(args, ACCOUNT.name),
        optional(args, "before"),
        limit.value,
        mode.value,
      );
    },
  },
  {
    name: "batch show",
    does: "reads",
    positionals: [BATCH],
    flags: [],
    run: (context, args) => batchShow(context, needed(args, BATCH.name)),
  },
  {
    name: "batch cancel",
    positionals: [BATCH],
    flags: [{ name: "reason", value: "TEXT", isRequired: true }],
    run: (context, args) => batchCancel(context, needed(args, BATCH.name), needed(args, "reason")),
  },
];
