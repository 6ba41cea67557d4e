import type { Locator, Page } from '@playwright/test';
import type { Stage } from './stage.ts';

/** A state of the product to take a picture of. */
export interface Scene {
  name: string;
  /** Brings a signed-in page to the state. */
  show(page: Page, stage: Stage): Promise<unknown>;
}

export const at =
  (
    path: string,
    ready: (page: Page) => Locator,
    act: (page: Page, stage: Stage) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page, stage: Stage) => {
    await page.goto(path);
    await ready(page).first().waitFor();
    await act(page, stage);
  };

export const cards = (page: Page) => page.getByRole('article');
export const dashboard = (act?: (page: Page, stage: Stage) => Promise<unknown>, query = '') =>
  at(`/${query}`, cards, act);
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
export const card = (page: Page, { interview }: Stage) => page.getByRole('article', { name: interview.title });

/** Opens a dialog from a tab of the interview's card. */
export const fromTab = (tab: string, name: string, act: (page: Page) => Promise<unknown> = async () => {}) =>
  dashboard(async (page, stage) => {
    await card(page, stage).getByRole('tab', { name: tab }).click();
    await card(page, stage).getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

export const play = (act: (page: Page) => Promise<unknown> = async () => {}) =>
  dashboard(async (page, stage) => {
    await card(page, stage)
      .getByRole('button', { name: /^Play / })
      .click();
    await page.locator('video').waitFor();
    await act(page);
  });

export const picker = (name: string | RegExp, search: string) =>
  dashboard(async (page) => {
    await button(page, name).click();
    await page.getByPlaceholder(search).waitFor();
  });

export const fromUserMenu = (item: string, act: (page: Page) => Promise<unknown> = async () => {}) =>
  dashboard(async (page) => {
    await page.getByRole('banner').getByRole('button').last().click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').waitFor();
    await act(page);
  });

/** Fakes one response: a real second factor would end the session that the other pictures need. */
export const answer = (page: Page, path: string, status: number, json: object) =>
  page.route(`**${path}`, (route) => route.fulfill({ status, json }));

/** Changes the response of the product to a request. */
export const change = <Body>(page: Page, path: string, edit: (body: Body) => void) =>
  page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Body;
    edit(body);
    await route.fulfill({ response, json: body });
  });

/** Leaves a request unanswered while the picture is taken. */
export const hang = (page: Page, path: string) => page.route(`**${path}`, () => {});

/** Fails a request. The page shows the failure after three retries. */
export const refuse = (page: Page, path: string) =>
  answer(page, path, 500, { message: 'The server could not complete this request.', code: 'internal' });

/** Runs `show` after `prepare`, which usually fakes answers. */
export const prepared =
  (prepare: (page: Page, stage: Stage) => Promise<unknown>, show: Scene['show']) =>
  async (page: Page, stage: Stage) => {
    await prepare(page, stage);
    await show(page, stage);
  };

interface ListPage {
  /** The beginning of the names of the scenes. */
  name: string;
  path: string;
  /** The request for the list. */
  read: string;
  /** The text while the list loads. */
  loading: string;
}

/** The scenes of a page whose list is loading, and could not be loaded. */
export const withoutData = ({ name, path, read, loading }: ListPage): Scene[] => [
  {
    name: `${name}-loading`,
    show: prepared(
      (page) => hang(page, read),
      at(path, (page) => page.getByText(loading)),
    ),
  },
  {
    name: `${name}-error`,
    show: prepared(
      (page) => refuse(page, read),
      at(path, (page) => button(page, 'Retry')),
    ),
  },
];
