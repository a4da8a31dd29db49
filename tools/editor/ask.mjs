/**
 * Asks the JSON service of VS Code (the package vscode-json-languageservice) about a machine file.
 *
 * Reads {schema, text, at} from standard input; `at` is a position in the text. Writes what an
 * editor shows there: {problems: [text], completions: [{label, insert, words}], hover: text}.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

const { schema, text, at } = JSON.parse(readFileSync(0, "utf8"));
const service = getLanguageService({
  schemaRequestService: async () => JSON.stringify(schema), // of a file with the key "$schema"
  workspaceContext: { resolveRelativePath: (path, from) => new URL(path, from).href },
});
service.configure({
  validate: true,
  allowComments: true,
  schemas: [{ uri: "headframe:schema", fileMatch: ["*"], schema }],
});
const file = TextDocument.create("file:///machine.json", "jsonc", 1, text);
const tree = service.parseJSONDocument(file);
const jsonc = { comments: "ignore", trailingCommas: "ignore" };
const place = file.positionAt(at);
const problems = await service.doValidation(file, tree, jsonc);
const offered = await service.doComplete(file, place, tree);
const hover = await service.doHover(file, place, tree);

const plain = (words) => (typeof words === "string" ? words : (words?.value ?? ""));
const answer = {
  problems: problems.map(({ message }) => message),
  completions: offered.items.map(({ label, insertText, documentation }) => ({
    label,
    insert: insertText,
    words: plain(documentation),
  })),
  hover: [hover?.contents ?? []].flat().map(plain).join("\n").replace(/\\(.)/g, "$1"),
};
process.stdout.write(JSON.stringify(answer));
