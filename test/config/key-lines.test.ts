import { expect, test } from "vitest";
import { findLine, keyLines } from "../../src/config/toml.ts";

const TEXT = `# [not.a.table]
[server]
listen = "x" # = y
"odd key" = 1

[operators.orange]
prefixes = [
  "22605", # a = 1
  "22606",
]
name = """
price = 5
[hidden]
"""
text = '''one line'''
price = 15

[[operators.orange.connections]]
host = "a[b"
responses.a.b = 1

[[operators.orange.connections]]
host = 'b'
  [operators.orange.connections.inner]
  deep = { x = 1, y = [2, 3] }

[operators."or.ange"]
name = "x"
`;

const lines = keyLines(TEXT);

test("keys and tables are found by their full path, each list's tables by number", () => {
  expect(Object.fromEntries(lines)).toEqual({
    server: 2,
    operators: 6,
    "server.listen": 3,
    'server."odd key"': 4,
    "operators.orange": 6,
    "operators.orange.prefixes": 7,
    "operators.orange.name": 11,
    "operators.orange.text": 15,
    "operators.orange.price": 16,
    "operators.orange.connections": 18,
    "operators.orange.connections[0]": 18,
    "operators.orange.connections[0].host": 19,
    "operators.orange.connections[0].responses": 20,
    "operators.orange.connections[0].responses.a": 20,
    "operators.orange.connections[0].responses.a.b": 20,
    "operators.orange.connections[1]": 22,
    "operators.orange.connections[1].host": 23,
    "operators.orange.connections[1].inner": 24,
    "operators.orange.connections[1].inner.deep": 25,
    'operators."or.ange"': 27,
    'operators."or.ange".name': 28,
  });
});

test("a key that does not stand there is looked for at its table", () => {
  expect(findLine(lines, "operators.orange.connections[1].window")).toBe(22);
  expect(findLine(lines, "operators.orange.prefixes[1]")).toBe(7);
  expect(findLine(lines, 'operators."or.ange"."pri.ce"')).toBe(27);
  expect(findLine(lines, "operators.moov.price")).toBe(6);
  expect(findLine(lines, "nowhere")).toBe(null);
  expect(findLine(lines, "")).toBe(null);
});
