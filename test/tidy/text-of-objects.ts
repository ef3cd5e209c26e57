/** Finds places where a text would be made of an object: `[object Object]` for every object there is. By the types, as the compiler has them. */
import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "./source.ts";

/** Types with a text of their own that says all of them. */
const TEXTUAL: ReadonlySet<string> = new Set(["URL", "URLSearchParams"]);

const PLAIN =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Never;

/** Every program of `src`, those of browsers too, and one more that is only here. */
function programOf(planted: { readonly file: string; readonly text: string }): ts.Program {
  const path = join(ROOT, "src/console/ui/tsconfig.json");
  const read = ts.readConfigFile(path, ts.sys.readFile);
  const include = { include: ["../../**/*"], exclude: [] };
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    Object.assign({}, read.config, include),
    ts.sys,
    join(ROOT, "src/console/ui"),
  );
  const host = ts.createCompilerHost(options);
  const own = join(ROOT, planted.file);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === own || fileExists(name);
  host.getSourceFile = (name, ...more) =>
    name === own
      ? ts.createSourceFile(name, planted.text, ts.ScriptTarget.ESNext, true)
      : getSourceFile(name, ...more);
  return ts.createProgram([...fileNames, own], options, host);
}

/** By file, what of it makes a text of something that is no text, number or boolean, as it is written there. */
export function textsOfObjects(planted: {
  readonly file: string;
  readonly text: string;
}): ReadonlyMap<string, readonly string[]> {
  const program = programOf(planted);
  const checker = program.getTypeChecker();
  const isPlain = (type: ts.Type): boolean => {
    if ((type.flags & PLAIN) !== 0 || TEXTUAL.has(type.symbol?.name ?? "")) return true;
    if (type.isUnion()) return type.types.every(isPlain);
    if (type.isIntersection()) return type.types.some(isPlain);
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && constraint !== type && isPlain(constraint);
  };
  const isText = (node: ts.Node) => (checker.getTypeAtLocation(node).flags & ts.TypeFlags.StringLike) !== 0;
  /** Whether what an object calls its text is what every object has. */
  const isNameless = (type: ts.Type): boolean => {
    if (type.isUnion()) return type.types.some(isNameless);
    // What is left of an unknown value once it is not null has no members either, and may be anything.
    if ((type.flags & ts.TypeFlags.Object) === 0 || checker.typeToString(type) === "{}") return false;
    const own = checker.getPropertyOfType(type, "toString")?.declarations?.[0]?.parent;
    return own === undefined || (ts.isInterfaceDeclaration(own) && own.name.text === "Object");
  };
  const joinedIn = (node: ts.Node): readonly ts.Node[] => {
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
      return node.templateSpans.map(({ expression }) => expression);
    }
    if (!ts.isBinaryExpression(node)) return [];
    const { left, right, operatorToken } = node;
    const isSum =
      operatorToken.kind === ts.SyntaxKind.PlusToken || operatorToken.kind === ts.SyntaxKind.PlusEqualsToken;
    return isSum && (isText(left) || isText(right)) ? [left, right] : [];
  };
  const toldIn = (node: ts.Node): readonly ts.Node[] => {
    if (!ts.isCallExpression(node)) return [];
    const { expression: called, arguments: given } = node;
    if (ts.isIdentifier(called) && called.text === "String") return given.slice(0, 1);
    const isTold = ts.isPropertyAccessExpression(called) && called.name.text === "toString";
    return isTold && given.length === 0 ? [called.expression] : [];
  };
  const found = new Map<string, readonly string[]>();
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || !source.fileName.startsWith(join(ROOT, "src/"))) continue;
    const here: string[] = [];
    const visit = (node: ts.Node): void => {
      for (const one of joinedIn(node))
        if (!isPlain(checker.getTypeAtLocation(one))) here.push(one.getText(source));
      for (const one of toldIn(node))
        if (isNameless(checker.getTypeAtLocation(one))) here.push(node.getText(source));
      ts.forEachChild(node, visit);
    };
    visit(source);
    if (here.length > 0) found.set(relative(ROOT, source.fileName), here);
  }
  return found;
}
