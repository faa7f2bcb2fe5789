// csv.mjs PE_GEN FOLDER: CSV beside Polars and DuckDB, of the node_modules in FOLDER.
//
// Ours is a process from start to end, which computes the table. Theirs write a table in memory on
// all their threads. All write a new file in the temporary folder, by turns; the times are medians.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const D = 128, LEN = 65536, TURNS = 7;

const [program, folder] = process.argv.slice(2);
const load = createRequire(resolve(folder, "node_modules") + "/");
const polars = load("nodejs-polars").default;
const { DuckDBInstance } = load("@duckdb/node-api");
const version = (name) => load(`./${name}/package.json`).version;

function column(k) {
  const frequency = 10000 ** (-2 * Math.floor(k / 2) / D);
  const values = new Float32Array(LEN);
  for (let i = 0; i < LEN; ++i) values[i] = (k % 2 ? Math.cos : Math.sin)(i * frequency);
  return polars.Series(String(k), values, polars.Float32);
}

const root = mkdtempSync(join(tmpdir(), "csv-"));
const file = join(root, "table.csv");
const frame = polars.DataFrame(Array.from({ length: D }, (_, k) => column(k)));
frame.writeParquet(join(root, "table.parquet"));
const database = await (await DuckDBInstance.create(":memory:")).connect();
await database.run(`CREATE TABLE t AS SELECT * FROM '${join(root, "table.parquet")}'`);

function ours() {
  const { status } = spawnSync(program, ["sinusoid", "--d", D, "--len", LEN, "--csv", file]);
  if (status !== 0) throw new Error(`${program} ended with status ${status}`);
}

const peers = [
  [`Polars ${version("nodejs-polars")}`, () => frame.writeCSV(file)],
  [`DuckDB ${version("@duckdb/node-api")}`, () => database.run(`COPY t TO '${file}'`)],
];

async function milliseconds(action) {
  const begin = performance.now();
  await action();
  const time = performance.now() - begin;
  rmSync(file);
  return time;
}

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

console.log("| task | ours | theirs | ratio |");
console.log("|---|--:|--:|--:|");
for (const [name, action] of peers) {
  const mine = [], others = [];
  for (let turn = 0; turn < TURNS; ++turn) {
    mine.push(await milliseconds(ours));
    others.push(await milliseconds(action));
  }
  const [a, b] = [median(mine), median(others)];
  const task = `CSV, float32, d ${D}, ${LEN} rows; ${name}`;
  console.log(`| ${task} | ${a.toFixed(1)} ms | ${b.toFixed(1)} ms | ${(b / a).toFixed(2)} |`);
}
rmSync(root, { recursive: true });
