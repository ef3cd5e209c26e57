import { expect, test } from "vitest";
import {
  type FileJob,
  type FileJobResults,
  type FileSource,
  jobTransfers,
  runFileJob,
} from "../../../src/console/server/send/file-jobs.ts";
import { askThread, startThread } from "../../../src/core/thread.ts";
import { bookOf } from "../../domain/imports/workbook-of.ts";

const FILE = new Uint8Array(Buffer.from("nom;tel\r\nAwa;05110001\r\nBob;511000\r\n"));

test("a file is read in a thread of its own, which answers what is worked out here", async () => {
  const question: FileJob = {
    kind: "submission",
    column: null,
    earlier: null,
    rejected: new Map([[2, "SUPPRESSED"]]),
    file: { bytes: FILE, isParsed: false },
    numbers: { defaults: { region: "BF" }, operators: { orange: { prefixes: ["22605"] } } },
    head: { sender: "SHOP", body: "Bonjour {nom}", message_class: "TRANSACTIONAL" },
  };
  const answer = await askThread(startThread, "console/server/send/file-thread.ts", question);
  expect(answer).toMatchObject({ ok: true, value: { bad: 1 } });
  expect(answer).toEqual(runFileJob(question));
});

test("what is worked out of the rows of a file is what would be of the file", async () => {
  const numbers = { defaults: { region: "BF" }, operators: { orange: { prefixes: ["22605"] } } };
  const about = { column: null, numbers };
  const bring: FileJob = { ...about, kind: "upload", file: { bytes: FILE, isParsed: false } };
  const brought = await askThread(startThread, "console/server/send/file-thread.ts", bring);
  const { preview: look, file } = (brought as { value: FileJobResults["upload"] }).value;
  expect(file.isParsed).toBe(true);
  expect(look).toMatchObject({ recipients: 1, bad: 1 });
  const lookOf = (source: FileSource) => runFileJob({ ...about, kind: "preview", file: source });
  expect(lookOf(file)).toEqual(lookOf({ bytes: FILE, isParsed: false }));
  expect(lookOf(file)).toMatchObject({ value: look });
});

test("a file moves to the thread and comes back as it was where its rows take more than a file may", async () => {
  const columns = Array.from({ length: 400 }, (_, place) => `c${place}`).join(";");
  const bytes = new Uint8Array(
    Buffer.from(`tel;${columns}\n${`05110001${";a".repeat(400)}\n`.repeat(12_000)}`),
  );
  const before = Bun.hash(bytes);
  const bring: FileJob = {
    kind: "upload",
    column: null,
    numbers: { defaults: { region: "BF" }, operators: { orange: { prefixes: ["22605"] } } },
    file: { bytes, isParsed: false },
  };
  const path = "console/server/send/file-thread.ts";
  const brought = await askThread(startThread, path, bring, undefined, jobTransfers(bring));
  expect(bytes.byteLength).toBe(0);
  const { preview: look, file } = (brought as { value: FileJobResults["upload"] }).value;
  expect(look).toMatchObject({ recipients: 12_000 });
  expect([file.isParsed, Bun.hash(file.bytes)]).toEqual([false, before]);
});

test("the sheets of a workbook are parsed once; with one that takes too much the file itself stays", () => {
  const numbers = { defaults: { region: "BF" }, operators: { orange: { prefixes: ["22605"] } } };
  const about = { column: null, numbers };
  const uploaded = (book: Uint8Array) => {
    const file = { bytes: new Uint8Array(book), isParsed: false };
    return (runFileJob({ ...about, kind: "upload", file }) as { value: FileJobResults["upload"] }).value;
  };
  const look = (file: FileSource, sheet: number) => runFileJob({ ...about, kind: "preview", file, sheet });
  const small = uploaded(bookOf(["vide"], ["A", ["tel"], ["05110001"]], ["B", ["tel"], ["05110002"]]));
  expect([small.file.isParsed, small.sheets]).toEqual([true, { names: ["vide", "A", "B"], chosen: 1 }]);
  expect(small.preview.first).toMatchObject([{ msisdn: "+22605110001" }]);
  expect(look(small.file, 2)).toMatchObject({ value: { first: [{ msisdn: "+22605110002" }] } });
  const rows = [["tel"], ["05110002"], ["7".repeat(40_000_000)]];
  const large = uploaded(bookOf(["A", ["tel"], ["05110001"]], ["B", ...rows]));
  expect([large.file.isParsed, large.sheets.chosen]).toEqual([false, 0]);
  expect(look(large.file, 1)).toMatchObject({ value: { recipients: 1, bad: 1 } });
});
