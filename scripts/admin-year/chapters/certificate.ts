import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { FIRST_CERTIFICATE, RENEWED_CERTIFICATE } from "../certificates.ts";
import { comesTrue, type Json } from "../machine.ts";
import { alarmComes, type Chapter, health } from "../year.ts";

/** The certificate of the address is about to end: somebody is told, it is renewed, and nobody is cut off. */
export const certificate: Chapter = async (year) => {
  const { story, machine } = year;
  story.saw(`the certificate ends on ${FIRST_CERTIFICATE.until}`);
  await alarmComes(year, "certificate", "start");
  const { of } = await health(year);
  story.promise(
    of("certificates").status === "degraded",
    "health says until when it is good",
    of("certificates"),
  );
  const standing = await openTo(machine.url());
  const fingerprint = fingerprintOf(standing);
  story.promise(fingerprint === printOf(FIRST_CERTIFICATE.certificate), "a client is shown the old one");
  const directory = dirname(machine.config);
  story.typed(machine.name, "cp new/cert.pem /etc/bendre/");
  writeFileSync(join(directory, "cert.pem"), RENEWED_CERTIFICATE.certificate);
  const half = await machine.tried("config", "reload");
  story.promise(half.exitCode === 1, "without its key it changes nothing, and that is told", half);
  story.typed(machine.name, "cp new/key.pem /etc/bendre/");
  writeFileSync(join(directory, "key.pem"), RENEWED_CERTIFICATE.key);
  const request = answered(standing);
  standing.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const { changes } = (await machine.bendre("config", "reload")) as { changes: Json[] };
  story.promise(
    changes.every(({ effect }) => effect === "now"),
    "it is in force without a restart",
    changes,
  );
  story.promise((await request).includes("200 OK"), "who was connected is answered");
  standing.destroy();
  const next = await openTo(machine.url());
  story.promise(
    fingerprintOf(next) === printOf(RENEWED_CERTIFICATE.certificate),
    "who comes now is shown the new one",
  );
  next.destroy();
  const isContent = await comesTrue(async () => (await health(year)).of("certificates").status === "ok", 5);
  story.promise(isContent, "and health is content", (await health(year)).of("certificates"));
};

const printOf = (pem: string) => new X509Certificate(pem).fingerprint256;
const fingerprintOf = (socket: TLSSocket) => socket.getPeerCertificate().fingerprint256;

function openTo(url: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () =>
      resolve(socket),
    );
    socket.on("error", reject);
  });
}

/** The first that comes over a connection. */
function answered(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (data) => resolve(data.toString()));
    socket.once("close", () => resolve(""));
  });
}
