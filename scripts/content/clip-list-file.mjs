import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// As the project's formatter has it.
const lineWidth = 110;

/** The list of clips as it is on disk; empty if there is none. */
export function readClipList(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).clips : [];
}

export function writeClipList(file, clips) {
  writeFileSync(file, `{\n  "clips": [\n${clips.map(clipText).join(',\n')}\n  ]\n}\n`);
}

/** Adds the hashes of the decoded frames, `{uyvy: […], bgra: […]}`. */
export function withHashes(clip, { uyvy, bgra }) {
  const frames = clip.startTicks.length;
  if (uyvy.length !== frames || bgra.length !== frames) {
    throw new Error(
      `Expected ${frames} hashes for ${clip.file} but received ${uyvy.length} and ${bgra.length}`,
    );
  }
  return { ...clip, uyvy, bgra };
}

/** A member of an object whose value is text, a number or a list of these. */
export function memberText(name, value, indent) {
  const start = `${indent}"${name}": `;
  if (!Array.isArray(value)) return start + JSON.stringify(value);
  const items = value.map((item) => JSON.stringify(item));
  const line = `${start}[${items.join(', ')}]`;
  if (line.length < lineWidth) return line;
  return `${start}[\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}]`;
}

function clipText(clip) {
  const members = Object.entries(clip).map(([name, value]) => memberText(name, value, '      '));
  return `    {\n${members.join(',\n')}\n    }`;
}
