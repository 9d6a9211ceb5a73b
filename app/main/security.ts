import { app, type Session } from 'electron';

/**
 * Main calls this before Electron is ready. No window needs a network, and its policy does not cover all that opens
 * connections (links that resolve or connect ahead, WebRTC): every name and address is one that does not exist.
 */
export function lockDownNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  // WebRTC takes the way through a proxy of the machine where it has none of its own.
  app.commandLine.appendSwitch('no-proxy-server');
}

/** A window shows the app's own page and nothing else: no navigation, no pop-ups, no web views. */
export function lockDownContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    // WebRTC sends packets to bare addresses, which nothing resolves.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
}

/** Windows of this session load what is theirs, whatever they ask for, get no permission and save nothing. */
export function lockDownSession(session: Session, isOwn: (address: string) => boolean): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isOwn(url) }));
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}
