import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { SetupError } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';

const inCheckout = (...names) => path.join(rootFolder, ...names);

/** What of the checkout lies where in the package: the kit finds its parts by the same paths in both. */
const files = {
  'dist/testkit/kit.cjs': 'dist/testkit/kit.cjs',
  'dist/testkit/playwright.cjs': 'dist/testkit/playwright.cjs',
  'dist/testkit/vitest.mjs': 'dist/testkit/vitest.mjs',
  'dist/app/streamhost.cjs': 'dist/app/streamhost.cjs',
  'dist/app/derive.cjs': 'dist/app/derive.cjs',
  'dist/app/standstill.cjs': 'dist/app/standstill.cjs',
  'dist/report/index.html': 'dist/report/index.html',
  'native/build/Release/whiteline.node': 'native/whiteline.node',
  'dist/licences/LICENSE': 'LICENSE',
  'dist/licences/NOTICE': 'NOTICE',
  'dist/licences/third-party.txt': 'third-party.txt',
  'docs/testkit.md': 'README.md',
};

/** Types may name these, but nothing of the app. */
const known = /^(\.\/[\w-]+|vitest|@playwright\/test)$/;

/**
 * Makes the npm package of the test kit out of what was built.
 * @returns path of the tarball, in the folder
 */
export async function packTestkit(folder) {
  const staging = mkdtempSync(path.join(tmpdir(), 'whiteline-testkit-'));
  try {
    for (const [from, to] of Object.entries(files)) cpSync(inCheckout(from), path.join(staging, to));
    await writeTypes(path.join(staging, 'dist/testkit/types'));
    writeFileSync(path.join(staging, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    mkdirSync(folder, { recursive: true });
    const flags = ['pack', '--silent', '--pack-destination', path.resolve(folder)];
    const { status, lastLines } = await run('npm', flags, { cwd: staging });
    if (status !== 0) throw new SetupError(lastLines.join('\n'), 'see what npm pack says');
    const { name, version } = manifest();
    return path.resolve(folder, `${name}-${version}.tgz`);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

export function manifest() {
  const { version, license, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(inCheckout('package.json'), 'utf8'),
  );
  const types = (name) => `./dist/testkit/types/${name}`;
  return {
    name: 'whiteline',
    version,
    description: 'Counts the frames of video streams in tests of Playwright and Vitest.',
    license,
    engines: { node: '>=20' },
    os: [process.platform],
    cpu: [process.arch],
    exports: {
      '.': { types: types('kit.d.ts'), default: './dist/testkit/kit.cjs' },
      './playwright': { types: types('playwright.d.ts'), default: './dist/testkit/playwright.cjs' },
      './vitest': { types: types('vitest.d.mts'), default: './dist/testkit/vitest.mjs' },
      './package.json': './package.json',
    },
    optionalDependencies,
    peerDependencies: {
      '@playwright/test': triedRange('1.55', devDependencies['@playwright/test']),
      vitest: triedRange('3.2', devDependencies.vitest),
    },
    peerDependenciesMeta: { '@playwright/test': { optional: true }, vitest: { optional: true } },
  };
}

/** Of a test runner: from the oldest release that the kit was tried in to the major one of the newest, which its tests have. */
function triedRange(oldest, newest) {
  return `>=${oldest} <${Number.parseInt(newest, 10) + 1}`;
}

/** Types of the entries, and of what they name: all of it lies in the kit's own folder. */
async function writeTypes(folder) {
  const emitted = mkdtempSync(path.join(tmpdir(), 'whiteline-types-'));
  try {
    const flags = ['--project', 'tsconfig.testkit.json', '--noEmit', 'false', '--declaration'];
    const out = ['--emitDeclarationOnly', '--rootDir', rootFolder, '--outDir', emitted];
    const { status } = await runTool('tsc', [...flags, ...out]);
    if (status !== 0) throw new SetupError('The types of the test kit are wrong', 'npm run typecheck');
    const from = path.join(emitted, 'app/testkit');
    mkdirSync(folder, { recursive: true });
    const done = new Set();
    for (const entry of ['kit', 'playwright', 'vitest']) copyTypes(entry, from, folder, done);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

function copyTypes(name, from, folder, done) {
  if (done.has(name)) return;
  done.add(name);
  const text = readFileSync(path.join(from, `${name}.d.ts`), 'utf8');
  const own = text.replace(/(from |import\()['"]([^'"]+)['"]/g, (_, before, written) => {
    // Of this package only the other one is a peer of ours.
    const specifier = written === 'playwright/test' ? '@playwright/test' : written;
    if (!known.test(specifier))
      throw new SetupError(
        `The types of ${name} name ${specifier}, which is not in the package`,
        'name a plain type',
      );
    if (!specifier.startsWith('./')) return `${before}'${specifier}'`;
    copyTypes(specifier.slice(2), from, folder, done);
    return `${before}'${specifier}.js'`;
  });
  // Vitest is a module alone, and so is what names it.
  writeFileSync(path.join(folder, name === 'vitest' ? 'vitest.d.mts' : `${name}.d.ts`), own);
}

// For tests of what was built: `node scripts/package/testkit.mjs FOLDER` prints the path of the tarball.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${await packTestkit(process.argv[2] ?? '.')}\n`);
