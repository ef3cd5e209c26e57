/** The thread that notices an input which never ends (watch.ts). */
import { keepInput } from "../../test/fuzz/corpus.ts";
import type { Target } from "../../test/fuzz/target.ts";

/** Nothing takes as long, however busy the machine is. */
const MAX_MS = 60_000;

type Watched = Pick<Target, "name" | "form"> & { readonly shared: SharedArrayBuffer };

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<Watched>) => {
  const head = new Int32Array(data.shared, 0, 2);
  let last = -1;
  setInterval(() => {
    const count = head[1] ?? 0;
    if (count === last && count > 0) {
      const input = Uint8Array.from(new Uint8Array(data.shared, 8, head[0] ?? 0));
      const file = keepInput(data, "failures", input, "never ends");
      console.log(`FAILS  ${data.name}: an input never ends\n  again: bun run fuzz --repeat ${file}`);
      process.kill(process.pid, "SIGKILL");
    }
    last = count;
  }, MAX_MS);
};
