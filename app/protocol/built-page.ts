import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { WhitelineError } from './errors';

export interface BuiltFile {
  type: string;
  body: Buffer;
}

/** The renderer as it was built. */
export interface BuiltPage {
  /** By the path in an address. */
  files: ReadonlyMap<string, BuiltFile>;
  /** The page's own policy, to be sent as a header. */
  policy: string;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const policyTag = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]+)"\s*\/>/;

/**
 * Reads all of the renderer at once, so that no address ever becomes the name of a file.
 * @throws WhitelineError NOT_FOUND if the renderer was not built
 */
export function readBuiltPage(folder: string): BuiltPage {
  const page = pageIn(folder);
  const [tag, policy] = policyTag.exec(page) ?? [];
  if (tag === undefined || policy === undefined)
    throw new Error(`${folder}/index.html has no Content-Security-Policy`);
  const files = new Map<string, BuiltFile>();
  for (const name of filesBelow(folder)) {
    const type = types[extname(name)];
    if (type !== undefined) files.set(`/${name}`, { type, body: readFileSync(join(folder, name)) });
  }
  files.set('/', { type: types['.html'] ?? '', body: Buffer.from(page.replace(tag, '')) });
  files.delete('/index.html');
  return { files, policy };
}

function pageIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The window’s page is not in ${folder}`,
      remedy: 'Build it: npm run build',
    });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name],
  );
}
