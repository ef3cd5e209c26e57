import { keepInput, keptInputs } from "../test/fuzz/corpus.ts";
import { search } from "../test/fuzz/search.ts";
import { TARGETS } from "../test/fuzz/targets.ts";
for (const target of TARGETS) {
  const r = await search({target, inputs: Number(process.argv[2] ?? 20000), seed: 1, kept: [], nowMs: () => performance.now()});
  console.log(target.name, r.inputs, r.ms.toFixed(0), "found", r.found.length, "slowest", r.slowest, r.failures.map(f => [f.what, f.message.slice(0,300), f.times, Buffer.from(f.input).toString("latin1")]));
  if (process.argv[3]) console.log(r.found.map(f=>f.signature).join("\n"));
}
