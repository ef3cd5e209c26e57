/** What the first start prints, before anybody has chosen a language. */
import { expect, test } from "vitest";
import { renderFirstLinkLines } from "../../src/console/server/open-console.ts";

test("the first link is told in French and in English; link and command stand alone, the command last", () => {
  const lines = renderFirstLinkLines(
    "http://127.0.0.1:8080/console/link#x",
    "bendre user create LOGIN --role OWNER",
  );
  expect(lines.map((line) => line.replaceAll(/[\u00a0\u202f]/g, " "))).toEqual([
    "Personne ne peut encore se connecter à la console. Ce lien crée le propriétaire ; il sert une seule fois et reste valable 30 minutes :",
    "Nobody can sign in to the console yet. This link creates its first owner; it works once, within 30 minutes:",
    "http://127.0.0.1:8080/console/link#x",
    "S’il a expiré, redémarrez, ou créez le propriétaire par son adresse :",
    "If it has expired, start again, or create the owner by e-mail address:",
    "bendre user create LOGIN --role OWNER",
  ]);
});
