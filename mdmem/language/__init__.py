"""What is known of English, German and other languages: words, phrases, sentences, claims."""
