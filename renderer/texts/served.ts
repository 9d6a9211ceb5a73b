/** The console in a browser, served by `whiteline serve`. */
export const servedTexts = {
  lost: {
    title: 'This page has lost its server',
    text: 'The process that serves it has ended, or the page’s address is of an earlier start. Start whiteline serve, and open the address that it prints. What was recorded up to a second before is kept.',
    action: 'Connect again',
  },
  looks: 'View only',
  looksHelp:
    'This page shows the console, and cannot operate it. whiteline serve printed a second address for that.',
  ownWindow: 'Use Whiteline’s own window for it.',
  moviePath: 'Path of the movie on the machine that serves this page',
  paths: 'A browser does not choose among the files of the machine that serves it: type the path.',
  drop: 'A browser does not report where a dropped file lies: choose Movie, and type its path.',
  planToOpen: 'Plans are not opened in a browser.',
  pictures: 'Pictures are not attached in a browser.',
  joinFile: (machine: string) =>
    `A browser does not write join files. In a terminal of this console’s machine: whiteline fleet invite ${machine}`,
  folder: 'A browser does not open folders.',
  fullScreen: 'Full-screen windows on other displays are not available in a browser.',
  theme: 'In a browser, its own setting decides between dark and light.',
  settingsChange: 'Settings are not changed in a browser.',
  /** Where each setting is given to the process that serves the page. */
  settings: {
    title: 'Set where this console is served',
    text: 'A console in a browser takes these from the command that serves it. To change one, end whiteline serve with Ctrl-C and start it anew. Dark or light is the browser’s own setting.',
    ndiPath: { command: 'WHITELINE_NDI_PATH=/path/of/libndi.so.6 whiteline serve' },
    discoveryServers: {
      command: 'NDI_CONFIG_DIR=/folder whiteline serve',
      text: 'The folder has NDI’s own ndi-config.v1.json, with the servers under ndi.networks.discovery.',
    },
    searchHosts: { command: 'whiteline serve --from 192.0.2.7,192.0.2.8' },
    thresholds: { command: 'whiteline serve --thresholds flawless' },
    runsFolder: { command: 'whiteline serve --runs FOLDER' },
    nmosNode: { command: 'whiteline serve --nmos-node' },
    nmosRegistry: { command: 'whiteline serve --nmos-node --nmos-registry http://192.0.2.9:8010' },
    nmosHost: { command: 'whiteline serve --nmos-node --nmos-listen 192.0.2.7' },
    nmosPort: { command: 'whiteline serve --nmos-node --nmos-port 8080' },
    nmosReceivers: { command: 'whiteline serve --nmos-node --nmos-receivers 8' },
  },
};
