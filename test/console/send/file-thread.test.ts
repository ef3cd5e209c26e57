import { expect, test } from "vitest";
import { askThread, startThread } from "../../../src/base/thread.ts";
import { type FileQuestion, workOnFile } from "../../../src/console/send/file-work.ts";

test("a file is read in a thread of its own, which answers what is worked out here", async () => {
  const question: FileQuestion = {
    ...{ kind: "submission", column: null, earlier: null, rejected: new Map([[2, "SUPPRESSED"]]) },
    bytes: new Uint8Array(Buffer.from("nom;tel\r\nAwa;05110001\r\nBob;511000\r\n")),
    numbers: { defaults: { region: "BF" }, operators: { orange: { prefixes: ["22605"] } } },
    head: { sender: "SHOP", body: "Bonjour {nom}", message_class: "TRANSACTIONAL" },
  };
  const answer = await askThread(startThread, "console/send/file-thread.ts", question);
  expect(answer).toMatchObject({ ok: true, value: { bad: 1 } });
  expect(answer).toEqual(workOnFile(question));
});
