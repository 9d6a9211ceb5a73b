import { app, session } from 'electron';

/** A window shows the app's own page and nothing else: no navigation, no pop-ups, no web views, no permissions. */
export function lockDownContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

/** Neither a page nor a report that is printed loads anything from a network, whatever it asks for. */
export function refuseRemoteContent(): void {
  const urls = ['http', 'https', 'ws', 'wss', 'ftp'].map((scheme) => `${scheme}://*/*`);
  session.defaultSession.webRequest.onBeforeRequest({ urls }, (_request, decide) => decide({ cancel: true }));
}

export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
}
