// Starts the app named by the first argument that is not a flag, as the default app inside a stock Electron does.
const { app } = require('electron');
const { existsSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const target = process.argv.slice(1).find((argument) => !argument.startsWith('-'));

if (target === undefined || !existsSync(target)) {
  process.stderr.write(`Expected an app's folder or script as argument but received ${target ?? 'none'}.\n`);
  process.exit(1);
}

const targetPath = path.resolve(target);
const isFolder = statSync(targetPath).isDirectory();
const appFolder = isFolder ? targetPath : path.dirname(targetPath);
const manifestFile = path.join(appFolder, 'package.json');
const manifest = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {};

app.setAppPath(appFolder);
if (manifest.version) app.setVersion(manifest.version);
const name = manifest.productName ?? manifest.name;
if (name) {
  app.setName(name);
  if (!app.commandLine.hasSwitch('user-data-dir')) {
    app.setPath('userData', path.join(app.getPath('appData'), name));
  }
}
require(isFolder ? path.join(appFolder, manifest.main ?? 'index.js') : targetPath);
