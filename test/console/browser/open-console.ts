import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type InProcessApi, startInProcessApi } from '../../support/in-process-api';
import { TIMEOUT_MS } from '../../support/running-system';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export interface OpenConsole {
  readonly api: InProcessApi;
  readonly browser: Browser;
  /** Opens a new page; `complaints`: errors that the browser reports in it. */
  page(options?: PageOptions): Promise<{ readonly page: Page; readonly complaints: readonly string[] }>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

type Settings = Readonly<Record<string, string>>;

/** The real system with its pods in this process, and a real browser that opens its console. */
export const openConsole = async (
  prepare?: (folder: string) => Promise<void>,
  more: Settings = {},
  start: (settings: Settings) => Promise<InProcessApi> = (settings) => startInProcessApi(prepare, settings),
): Promise<OpenConsole> => {
  if (!existsSync(CHROMIUM)) throw new Error(`No browser at ${CHROMIUM}: apt-get install chromium, or set CHROMIUM.`);
  const api = await start({
    ROWGRAPH_POD_RUNTIME: 'process',
    ROWGRAPH_EMBEDDED_WORKER: 'on',
    ...more,
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  return {
    api,
    browser,
    page: async ({ width = 1280, colorScheme = 'light' } = {}) => {
      // During a fade-in the contrast of a view is too low.
      const context = await browser.newContext({
        viewport: { width, height: 860 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // An error status such as 401 is not a defect of the page.
        if (message.type() === 'error' && !/^Failed to load resource|net::ERR_/.test(message.text()))
          complaints.push(message.text());
      });
      page.setDefaultTimeout(TIMEOUT_MS);
      return { page, complaints };
    },
    close: async () => {
      await browser.close();
      await api.close();
    },
  };
};
