import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Tab, TabList, TabPanel, TabPanels, Tabs } from './tabs.tsx';

const NAMES = ['One', 'Two', 'Three'];

/** Tabs whose parent selects what the user selects. */
function SelectingTabs(props: Partial<ComponentProps<typeof Tabs>>) {
  const [value, setValue] = useState('One');
  return <Tabs value={value} onValueChange={setValue} {...props} />;
}

function open(props: Partial<ComponentProps<typeof Tabs>> = {}) {
  const user = userEvent.setup();
  render(
    <SelectingTabs {...props}>
      <TabList label="Numbers">
        {NAMES.map((name) => (
          <Tab key={name} value={name}>
            {name}
          </Tab>
        ))}
      </TabList>
      {NAMES.map((name) => (
        <TabPanel key={name} value={name}>
          Panel {name}
        </TabPanel>
      ))}
    </SelectingTabs>,
  );
  return user;
}
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;
const focused = () => document.activeElement?.textContent;

test('a click selects a tab and shows its panel, which is named after it', async () => {
  const user = open();
  await user.click(screen.getByRole('tab', { name: 'Two' }));
  expect(chosen()).toBe('Two');
  expect(screen.getByRole('tabpanel', { name: 'Two' }).textContent).toBe('Panel Two');
  expect(screen.getAllByRole('tabpanel')).toHaveLength(1);
  expect(document.body.textContent).not.toContain('Panel One');
});

test('the Tab key reaches the chosen tab, then its panel; arrows, Home and End move to other tabs and choose them', async () => {
  const user = open();
  await user.tab();
  expect(focused()).toBe('One');
  for (const [key, name] of [
    ['{ArrowRight}', 'Two'],
    ['{End}', 'Three'],
    ['{ArrowRight}', 'One'],
    ['{ArrowLeft}', 'Three'],
    ['{Home}', 'One'],
  ] as const) {
    await user.keyboard(key);
    expect([key, focused(), chosen()]).toEqual([key, name, name]);
  }
  await user.tab();
  expect(focused()).toBe('Panel One');
});

test('with manual activation the arrow keys only move the focus, and Enter selects', async () => {
  const user = open({ activationMode: 'manual' });
  await user.tab();
  await user.keyboard('{ArrowRight}');
  expect([focused(), chosen()]).toEqual(['Two', 'One']);
  await user.keyboard('{Enter}');
  expect(chosen()).toBe('Two');
});

test('the parent decides which tab is selected', async () => {
  const onValueChange = vi.fn();
  const user = open({ value: 'Two', onValueChange });
  await user.click(screen.getByRole('tab', { name: 'Three' }));
  expect(onValueChange).toHaveBeenLastCalledWith('Three');
  expect(chosen()).toBe('Two');
});

test('the Tab key goes from the tab into a panel with something to focus, without stopping at the panel', async () => {
  const user = userEvent.setup();
  render(
    <SelectingTabs>
      <TabList label="Numbers">
        <Tab value="One">One</Tab>
      </TabList>
      <TabPanel value="One">
        <button type="button">Inside</button>
      </TabPanel>
    </SelectingTabs>,
  );
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Inside' }));
});

test('stacked panels stay in the page, hidden and without focus, so that their place keeps its height', async () => {
  const user = userEvent.setup();
  render(
    <SelectingTabs>
      <TabList label="Numbers">
        {NAMES.map((name) => (
          <Tab key={name} value={name}>
            {name}
          </Tab>
        ))}
      </TabList>
      <TabPanels>
        {NAMES.map((name) => (
          <TabPanel key={name} value={name} keepMounted>
            Panel {name}
          </TabPanel>
        ))}
      </TabPanels>
    </SelectingTabs>,
  );
  const shown = () => screen.getAllByRole('tabpanel').map((panel) => panel.textContent);
  expect(shown()).toEqual(['Panel One']);
  await user.click(screen.getByRole('tab', { name: 'Three' }));
  expect(shown()).toEqual(['Panel Three']);
  expect(screen.getByText('Panel One')).toHaveProperty('inert', true);
});
