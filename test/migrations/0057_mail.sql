INSERT INTO mail (message_id, content, link_sealed, reference)
  VALUES ('<1@example.com>', '{"to": "ann@example.com", "subject": "Hello", "paragraphs": ["Hello"], "linkLabel": null, "linkUrl": null, "footer": null}', '\xabab', 'invitation 1');
