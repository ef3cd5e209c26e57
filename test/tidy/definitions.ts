import ts from "typescript";
import { textOf } from "./source.ts";

/** A function with a body, by the name it is called by, and how many lines it takes. */
export type LongFunction = { readonly file: string; readonly name: string; readonly lines: number };

/** The functions of a file that take more than `most` lines, those inside another included. */
export function functionsLongerThan(file: string, most: number): LongFunction[] {
  const source = parsed(file);
  const found: LongFunction[] = [];
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      if (lines > most) found.push({ file, name: nameOf(node, source), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The types and interfaces that a file exports under their own name. */
export function exportedTypesOf(file: string): string[] {
  return parsed(file).statements.flatMap((statement) => {
    if (!ts.isTypeAliasDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) return [];
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported ? [statement.name.text] : [];
  });
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
}

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  if (node.name) return node.name.getText(source);
  const { parent } = node;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isNamed ? parent.name.getText(source) : "(anonymous)";
}
