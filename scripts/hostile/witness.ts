/**
 * A well-behaved client in a process of its own: the port and key are its arguments. It asks for its health every 10 ms
 * and submits an OTP every 25 ms; on every line of its input it prints what it saw since the last one. How long it was
 * itself kept from running is printed beside it, for whoever reads the figures: the two worst moments need not be one.
 */
const [port = "", apiKey = ""] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}`;
const fresh = () => ({ health_ms: 0, otp_ms: 0, own_ms: 0, healths: 0, otps: 0, failures: 0 });
let seen = fresh();
let number = 0;

async function timed(ask: () => Promise<Response>, expected: number): Promise<number> {
  const began = performance.now();
  try {
    const answer = await ask();
    await answer.arrayBuffer();
    if (answer.status !== expected) seen.failures += 1;
  } catch {
    seen.failures += 1;
  }
  return performance.now() - began;
}

async function healths(): Promise<never> {
  for (;;) {
    const ms = await timed(() => fetch(`${base}/health/live`), 200);
    seen.health_ms = Math.max(seen.health_ms, ms);
    seen.healths += 1;
    await Bun.sleep(10);
  }
}

async function otps(): Promise<never> {
  for (;;) {
    const id = `${process.pid}-${++number}`;
    const ms = await timed(
      () =>
        fetch(`${base}/public/v1/batches`, {
          method: "POST",
          headers: { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": id },
          body: JSON.stringify({
            sender: "ACME",
            body: `Code ${id}`,
            message_class: "OTP",
            recipients: [{ msisdn: `70${String(number % 1_000_000).padStart(6, "0")}` }],
          }),
        }),
      202,
    );
    seen.otp_ms = Math.max(seen.otp_ms, ms);
    seen.otps += 1;
    await Bun.sleep(25);
  }
}

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  seen.own_ms = Math.max(seen.own_ms, now - last - 1);
  last = now;
}, 1);
void healths();
void otps();
for await (const _ of console) {
  console.log(JSON.stringify(seen));
  seen = fresh();
}
process.exit(0);
